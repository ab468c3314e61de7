/* Makes triangles of the boundary of a shape, for drawing. */
#pragma once

#include "abut/shape.h"
#include "io/mesh/triangles.h"

/* Makes triangles of the boundary of a bounded shape. All vertices lie on the boundary, so the mesh lies inside the
 * shape; at curved surfaces it deviates by less than a hundredth of the size. Polytopes are exact. Spheres, ellipsoids,
 * capsules, cylinders and cones use closed forms, other shapes the hull of furthest points. Returns ABUT_ERROR_ARGUMENT
 * for a halfspace and ABUT_ERROR_NUMERICAL if the support function gives a point that is not finite. Free the mesh with
 * abut_shape_mesh_free. */
AbutStatus abut_shape_mesh_create(const AbutShape *shape, AbutShapeMesh *out, AbutError *error);

/* Makes a square of two triangles in the boundary of a halfspace, in the body frame. Its sides are 2 `half_size` (m)
 * and its centre is the boundary point nearest to `about` (m). */
AbutStatus abut_shape_mesh_plate(const AbutShape *shape, const double about[3], double half_size, AbutShapeMesh *out,
                                 AbutError *error);
