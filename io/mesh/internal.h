/* What the makers of meshes of shapes share. */
#ifndef IO_MESH_INTERNAL_H
#define IO_MESH_INTERNAL_H

#include "io/mesh/mesh.h"

/* Room for so many; all zero. ABUT_ERROR_MEMORY leaves an empty mesh. */
AbutStatus abut_shape_mesh_allocate(AbutShapeMesh *mesh, int n_vertices, int n_triangles, AbutError *error);

/* io/mesh/round.c: spheres, ellipsoids, capsules, cylinders, cones, in the own frame. */
AbutStatus abut_shape_mesh_round(const AbutShape *shape, AbutShapeMesh *out, AbutError *error);
/* io/mesh/hull.c, in the own frame: a box or polytope by its faces; any other by its furthest points. */
AbutStatus abut_shape_mesh_faces(const AbutShape *shape, AbutShapeMesh *out, AbutError *error);
AbutStatus abut_shape_mesh_sampled(const AbutShape *shape, AbutShapeMesh *out, AbutError *error);

#endif
