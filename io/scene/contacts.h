/* Reads which pairs of bodies of a scene may touch. */
#pragma once

#include "io/scene/scene_parts.h"

/* Reads `contacts` and `exclude`; call it after reading the bodies. Errors are recorded in the reader. */
void abut_scene_read_contacts(AbutScene *scene, const AbutNode *root);
