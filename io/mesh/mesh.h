/* The boundary of a shape as triangles, to be drawn. */
#ifndef IO_MESH_MESH_H
#define IO_MESH_MESH_H

#include "abut/shape.h"

/* Owns its arrays. A vertex stands once for each of the smooth pieces of surface that meet there. */
typedef struct AbutShapeMesh {
	int n_vertices, n_triangles;
	double *positions; /* (n_vertices x 3) m, in the frame that the shape is given in (of its body) */
	double *normals;   /* (n_vertices x 3) of unit length, outwards */
	int *triangles;    /* (n_triangles x 3) vertices, counterclockwise seen from outside */
} AbutShapeMesh;

/* Of a bounded shape. All vertices lie on its boundary, so that the mesh lies within it, by less than a hundredth of
 * its size where it is round. Polytopes are exact; spheres, ellipsoids, capsules, cylinders and cones come from their
 * closed forms, all others from the hull of furthest points. ABUT_ERROR_ARGUMENT: a halfspace;
 * ABUT_ERROR_NUMERICAL: the functions of a smooth shape do not lead to its boundary. Freed by abut_shape_mesh_free. */
AbutStatus abut_shape_mesh_create(const AbutShape *shape, AbutShapeMesh *out, AbutError *error);

/* Of a halfspace: the square of 2 `half_size` by 2 `half_size` of its boundary whose middle is nearest to `about` (3),
 * m, all in the frame that the shape is given in. Two triangles. */
AbutStatus abut_shape_mesh_plate(const AbutShape *shape, const double about[3], double half_size, AbutShapeMesh *out,
                                 AbutError *error);

void abut_shape_mesh_free(AbutShapeMesh *mesh);

/* Volume within a closed mesh, m^3. */
double abut_shape_mesh_volume(const AbutShapeMesh *mesh);

#endif
