/* Reads the couplings of a scene. */
#pragma once

#include "io/scene/scene_parts.h"

/* Reads `couplings`, of a scene whose joints have these names. */
void abut_scene_read_couplings(AbutScene *scene, const AbutNode *root, const AbutNames *joints);
