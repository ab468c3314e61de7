/* How far shapes reach along rays: closed forms and searches against the conic program of the same rows. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/vec3.h"
#include "sample.h"
#include "shapes/conic_query.h"
#include "shapes/reach.h"

enum { CASES = 6 };

static AbutShape *sum_or_common(bool sum, AbutShapeKind first, AbutShapeKind second, AbutRng *rng)
{
	AbutShape *parts[2] = {sample_shape(first, 1.0, rng), sample_shape(second, 1.0, rng)}, *shape = NULL;
	sample_move(parts[1], sum ? 1.0 : 0.05, rng);
	const AbutShape *const *list = (const AbutShape *const *)parts;
	cr_assert_eq(sum ? abut_shape_create_minkowski_sum(2, list, &shape, NULL)
	                 : abut_shape_create_intersection(2, list, &shape, NULL),
	             ABUT_OK);
	abut_shape_destroy(parts[0]);
	abut_shape_destroy(parts[1]);
	return shape;
}

static AbutShape *make(int which, AbutReachCost *cost, AbutRng *rng)
{
	*cost = which == 0 ? ABUT_REACH_CLOSED : ABUT_REACH_SEARCH;
	switch (which) {
	case 0:
		return sample_shape(ABUT_SHAPE_CAPSULE, 1.0, rng);
	case 1:
		return sample_shape(ABUT_SHAPE_PADDED_POLYTOPE, 1.0, rng);
	case 2:
		return sum_or_common(true, ABUT_SHAPE_BOX, ABUT_SHAPE_CAPSULE, rng);
	case 3:
		return sum_or_common(true, ABUT_SHAPE_BOX, ABUT_SHAPE_ELLIPSOID, rng);
	case 4:
		return sum_or_common(true, ABUT_SHAPE_CONE, ABUT_SHAPE_CYLINDER, rng);
	default:
		return sum_or_common(false, ABUT_SHAPE_CAPSULE, ABUT_SHAPE_PADDED_POLYTOPE, rng);
	}
}

/* From points inside; along axes too, where corners and flats lie straight ahead. */
Test(reach, is_that_of_the_rows)
{
	int unsolved = 0; /* by the program: few */
	for (int which = 0; which < CASES; which++) {
		for (unsigned seed = 0; seed < (which < 3 ? 4U : 1U); seed++) {
			AbutRng rng = {seed};
			AbutReachCost cost;
			AbutShape *shape = make(which, &cost, &rng);
			sample_move(shape, 1.0, &rng);
			cr_expect_eq(abut_shape_reach_cost(shape), cost, "case %d", which);
			for (int i = 0; i < 200; i++) {
				double u[3], from[3], t = 0.0, expected = 0.0;
				sample_direction(&rng, u);
				for (int k = 0; k < 3; k++) {
					u[k] = i < 6 ? (i % 2 ? -1.0 : 1.0) * shape->rotation[3 * k + i / 2] : u[k];
					from[k] =
					    shape->centre[k] + 0.5 * shape->inner_radius *
					                           (i < 6 ? 0.0 : abut_rng_uniform(&rng, -1.0, 1.0));
				}
				const bool solved = abut_conic_ray(shape, from, u, &expected);
				cr_assert(abut_shape_reach(shape, from, u, &t), "case %d, seed %u, ray %d", which, seed,
				          i);
				unsolved += !solved;
				cr_expect(!solved || fabs(t - expected) <= 2e-8 * expected,
				          "case %d, seed %u, ray %d: %.12g, %.12g", which, seed, i, t, expected);
			}
			abut_shape_destroy(shape);
		}
	}
	cr_expect_leq(unsolved, 30, "%d rays of 3000", unsolved);
}
