/* Reads the shapes of a scene. */
#pragma once

#include "io/scene/scene_parts.h"

/* Reads the named shapes. Errors are recorded in the reader. */
void abut_scene_read_shapes(AbutScene *scene, const AbutNode *root);
/* Returns whether reading goes on. Records an error at the node if the caller wants it to end. */
bool abut_scene_goes_on(const AbutNode *node);
/* Makes the shape of an object node: the parts of a union or mesh, or a single shape. The caller owns it. Returns NULL
 * after an error, which is recorded in the reader. */
AbutBundle *abut_scene_make_shape(const AbutNode *node);
