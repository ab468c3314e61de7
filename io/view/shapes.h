/* Packs the bodies and the triangles of their parts for the replay page. */
#pragma once

#include "io/view/data.h"

/* Adds the bodies to the head, and the meshes of their parts to the arrays. */
AbutStatus abut_view_add_shapes(AbutViewData *data, AbutError *error);
