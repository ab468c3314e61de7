/* Computes the matrix of a joint from its linearised laws. */
#pragma once

#include "dynamics/gradient/joint/linear.h"
#include "dynamics/gradient/part.h"

/* Sets the sizes of the joint's matrix and carves it from the arena. */
void abut_joint_map_carve(const AbutJointLinear *linear, const AbutGradientAsk *ask, AbutArena *arena,
                          AbutEdgeMap *out);

/* Fills the carved matrix at the iterate. The bodies of `part` are filled. `rates` receives the effect of the
 * velocities at the start, one entry for each freedom counted by abut_joint_map_rates. */
void abut_joint_map_fill(const AbutJointLinear *linear, const AbutGradientAsk *ask, const AbutIterate *it,
                         const AbutGradientPart *part, AbutEdgeMap *out, AbutGradientRate *rates);

/* Returns the number of freedoms whose laws depend on the rate in the step before. */
int abut_joint_map_rates(const AbutJointLinear *linear);
