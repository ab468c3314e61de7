/* Reading the bodies of a scene. */
#ifndef IO_SCENE_BODIES_H
#define IO_SCENE_BODIES_H

#include "io/scene/scene_parts.h"

/* Reads `bodies`, after the shapes. Errors stick in the reader. */
void abut_scene_read_bodies(AbutScene *scene, const AbutNode *root);

#endif
