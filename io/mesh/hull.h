/* Makes meshes of convex hulls. */
#pragma once

#include "abut/shape.h"
#include "io/mesh/triangles.h"

/* Makes the mesh of a box or polytope from its faces, in the shape's own frame. */
AbutStatus abut_shape_mesh_faces(const AbutShape *shape, AbutShapeMesh *out, AbutError *error);
/* Makes the mesh of any bounded shape from its furthest points, in the shape's own frame. */
AbutStatus abut_shape_mesh_sampled(const AbutShape *shape, AbutShapeMesh *out, AbutError *error);
