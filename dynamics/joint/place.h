/* Places bodies at the initial coordinates and rates of their joints. */
#pragma once

#include "dynamics/model/joint.h"

/* Sets the initial poses and velocities of a new model from the initial coordinates and rates of its joints, from the
 * roots on. Bodies that no such joint moves stay as they are. Returns ABUT_ERROR_ARGUMENT if a body leaves its plane or
 * becomes too fast; the error names the joint. */
AbutStatus abut_joints_place(AbutModel *model, AbutError *error);
/* Sets the initial velocities again if closing the joints has changed poses (assemble.h): those of the given rates at
 * the closed poses. Returns errors like abut_joints_place. */
AbutStatus abut_joints_drive(AbutModel *model, AbutError *error);
