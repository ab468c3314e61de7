/* Reads the sites and sensors of a scene. */
#pragma once

#include "io/json/node.h"
#include "io/scene/scene_parts.h"

/* Reads `sites` and `sensors`; the bodies and joints are read. */
void abut_scene_read_sensors(AbutScene *scene, const AbutNode *root);
