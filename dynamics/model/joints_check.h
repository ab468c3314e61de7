/* Checks the joints of a scene definition. */
#pragma once

#include "dynamics/model/method.h"

/* Checks the joints. Call after the bodies are checked. The error's `where` is a path inside the scene file, such as
 * "joints[3].limits". */
AbutStatus abut_joints_check(const AbutSceneDef *def, const AbutMethodRow *method, AbutError *error);
