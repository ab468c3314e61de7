/* Makes meshes of spheres, ellipsoids, capsules, cylinders and cones. */
#ifndef IO_MESH_ROUND_H
#define IO_MESH_ROUND_H

#include "abut/shape.h"
#include "io/mesh/triangles.h"

/* Makes the mesh in the shape's own frame. */
AbutStatus abut_shape_mesh_round(const AbutShape *shape, AbutShapeMesh *out, AbutError *error);

#endif
