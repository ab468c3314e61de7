/* Reads the bodies of a scene. */
#ifndef IO_SCENE_BODIES_H
#define IO_SCENE_BODIES_H

#include "io/scene/scene_parts.h"

/* Reads `bodies`; call it after reading the shapes. Errors are recorded in the reader. */
void abut_scene_read_bodies(AbutScene *scene, const AbutNode *root);

#endif
