/* The boundary of a shape as triangles, to be drawn. */
#ifndef IO_MESH_MESH_H
#define IO_MESH_MESH_H

#include "abut/shape.h"
#include "io/mesh/triangles.h"

/* Makes the boundary of a bounded shape. All vertices lie on the boundary, so that the mesh lies inside the shape, by
 * less than a hundredth of its size where it is round. Polytopes are exact; spheres, ellipsoids, capsules, cylinders
 * and cones come from their closed forms, all others from the hull of furthest points. ABUT_ERROR_ARGUMENT: a
 * halfspace; ABUT_ERROR_NUMERICAL: the functions of a smooth shape do not lead to its boundary. Freed by
 * abut_shape_mesh_free. */
AbutStatus abut_shape_mesh_create(const AbutShape *shape, AbutShapeMesh *out, AbutError *error);

/* Makes two triangles of the boundary of a halfspace: the square with sides of 2 `half_size` whose middle is nearest to
 * `about` (3), m, in the frame in which the shape is given. */
AbutStatus abut_shape_mesh_plate(const AbutShape *shape, const double about[3], double half_size, AbutShapeMesh *out,
                                 AbutError *error);

#endif
