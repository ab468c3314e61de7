/* Places bodies at the initial coordinates and rates of their joints. */
#pragma once

#include "dynamics/model/joint.h"

/* Sets the initial poses and velocities of a new model from the initial coordinates and rates of its joints, from the
 * roots on. Bodies that no such joint moves stay as they are. Returns ABUT_ERROR_ARGUMENT if a body leaves its plane or
 * becomes too fast; the error names the joint. */
AbutStatus abut_joints_place(AbutModel *model, AbutError *error);
