/* Makes meshes of spheres, ellipsoids, capsules, cylinders and cones. */
#pragma once

#include "abut/shape.h"
#include "io/mesh/triangles.h"

/* Makes the mesh in the shape's own frame. */
AbutStatus abut_shape_mesh_round(const AbutShape *shape, AbutShapeMesh *out, AbutError *error);
