/* Reads shapes of type "conic". */
#ifndef IO_SCENE_CONIC_H
#define IO_SCENE_CONIC_H

#include "abut/shape.h"
#include "io/json/node.h"

/* Makes the shape. Errors are handled as in io/scene/composite.h. */
AbutStatus abut_scene_read_conic(const AbutNode *node, AbutShape **out, AbutError *error);

#endif
