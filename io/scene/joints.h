/* Reads the joints of a scene. */
#pragma once

#include "io/scene/scene_parts.h"

/* Reads `joints`; call it after the bodies are read. Which values are allowed together is checked with the model
 * (dynamics/model/joints_check.c). */
void abut_scene_read_joints(AbutScene *scene, const AbutNode *root);
