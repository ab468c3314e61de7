/* Reads shapes of type "conic". */
#pragma once

#include "abut/shape.h"
#include "io/json/node.h"

/* Makes the shape. Errors are handled as in io/scene/composite.h. */
AbutStatus abut_scene_read_conic(const AbutNode *node, AbutShape **out, AbutError *error);
