/* Assembles a model: moves its bodies so that all joints are closed at the initial poses. */
#pragma once

#include "abut/model.h"
#include "dynamics/joint/assembly.h"

/* Closes the joints of a new model by the smallest change of its initial poses, weighted by mass and inertia. Leaves
 * poses that are closed already as they are. Coordinates that start within their limits stay there. Keeps given
 * coordinates if it can; to these, it goes from the poses of `def` in small steps, so that loops stay in their mode.
 * Sets model->joints.moved, turned, moved_body and yielded. Returns ABUT_ERROR_ARGUMENT if a joint cannot be closed to
 * 1e-12 (m, rad; far from the origin to the digits of its places), or is outside of its limits; the error names the
 * joint. */
AbutStatus abut_joints_assemble(AbutModel *model, const AbutSceneDef *def, AbutError *error);
