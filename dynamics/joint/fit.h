/* Fits the frames of joints that close a loop to the poses of its bodies. */
#pragma once

#include "dynamics/joint/joint.h"

/* Changes the frames of all joints that are open at the present poses, so that they are closed there. Also makes nearly
 * parallel axes of the mechanism exactly parallel, so that it can move. `missing` are the errors (lengths in model
 * units, turns) above which a joint counts as open. `joints` are placed (abut_joint_place) and belong to the model. */
void abut_joints_fit(AbutModel *model, AbutJointWork *joints, const double missing[2]);
