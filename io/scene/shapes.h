/* Reading the shapes of a scene. */
#ifndef IO_SCENE_SHAPES_H
#define IO_SCENE_SHAPES_H

#include "io/scene/scene_parts.h"

/* Reads the named shapes. Errors stick in the reader. */
void abut_scene_read_shapes(AbutScene *scene, const AbutNode *root);
/* Makes the shape of an object node: a union as its parts, any other shape as one. The caller owns it. NULL after an
 * error, which sticks in the reader. */
AbutBundle *abut_scene_make_shape(const AbutNode *node);

#endif
