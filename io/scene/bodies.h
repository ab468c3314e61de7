/* Reads the bodies of a scene. */
#pragma once

#include "io/scene/scene_parts.h"

/* Reads `bodies`; call it after reading the shapes. Errors are recorded in the reader. */
void abut_scene_read_bodies(AbutScene *scene, const AbutNode *root);
