/* Checks the sites and sensors of a scene definition. */
#pragma once

#include "abut/scene.h"

/* Checks sites and sensors. Call after the joints are checked. The error's `where` is a path inside the scene, such as
 * "sensors[3].site". */
AbutStatus abut_sensors_check(const AbutSceneDef *def, AbutError *error);
