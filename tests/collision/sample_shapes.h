/* Makes random shapes of every kind for the tests of collision and dynamics. */
#pragma once

#include <criterion/criterion.h>

#include "abut/shape.h"
#include "abut/smooth.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "sample_composite.h"

/* Makes the hull of 10 random points in a cube of half side `size`, about a point `size` away from the origin. */
static inline AbutShape *sample_hull(double size, AbutRng *rng)
{
	double points[30];
	AbutShape *shape = NULL;
	for (int i = 0; i < 30; i++) {
		points[i] = size * abut_rng_uniform(rng, -1.0, 1.0) + (i % 3 == 1 ? size : 0.0);
	}
	cr_assert_eq(abut_shape_create_polytope_from_vertices(10, points, &shape, NULL), ABUT_OK);
	return shape;
}

/* Makes a shape of the kind, with sizes between 0.5 and 1.5 times `size`, in its own frame. */
static inline AbutShape *sample_shape(AbutShapeKind kind, double size, AbutRng *rng)
{
	double r[3];
	AbutShape *shape = NULL, *core = NULL;
	AbutStatus status = ABUT_ERROR_ARGUMENT;
	for (int i = 0; i < 3; i++) {
		r[i] = size * abut_rng_uniform(rng, 0.5, 1.5);
	}
	switch (kind) {
	case ABUT_SHAPE_HALFSPACE:
		status = abut_shape_create_halfspace((const double[]){0.0, 0.0, 1.0}, 0.0, &shape, NULL);
		break;
	case ABUT_SHAPE_BOX:
		status = abut_shape_create_box(r, &shape, NULL);
		break;
	case ABUT_SHAPE_POLYTOPE:
		return sample_hull(size, rng);
	case ABUT_SHAPE_PADDED_POLYTOPE:
		core = sample_hull(size, rng);
		status = abut_shape_create_padded_polytope(core, 0.3 * r[0], &shape, NULL);
		abut_shape_destroy(core);
		break;
	case ABUT_SHAPE_SPHERE:
		status = abut_shape_create_sphere(r[0], &shape, NULL);
		break;
	case ABUT_SHAPE_ELLIPSOID:
		status = abut_shape_create_ellipsoid(r, &shape, NULL);
		break;
	case ABUT_SHAPE_CAPSULE:
		status = abut_shape_create_capsule(0.7 * r[0], r[1], &shape, NULL);
		break;
	case ABUT_SHAPE_CYLINDER:
		status = abut_shape_create_cylinder(r[0], 1.5 * r[1], &shape, NULL);
		break;
	case ABUT_SHAPE_CONE:
		status = abut_shape_create_cone(2.0 * r[0], r[1], &shape, NULL);
		break;
	case ABUT_SHAPE_MINKOWSKI_SUM:
	case ABUT_SHAPE_INTERSECTION:
	case ABUT_SHAPE_CONIC:
		return sample_composite(kind, r[0], abut_rng_uniform(rng, 0.0, 1.0) < 0.5);
	case ABUT_SHAPE_SMOOTH:
		status = abut_shape_create_superellipsoid(
		    r, (const double[]){abut_rng_uniform(rng, 2.0, 5.0), abut_rng_uniform(rng, 2.0, 5.0)}, &shape,
		    NULL);
		break;
	case ABUT_SHAPE_COUNT:
		break;
	}
	cr_assert_eq(status, ABUT_OK, "a %s", abut_shape_kind_name(kind));
	return shape;
}
