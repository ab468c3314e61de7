/* Tests how far shapes extend along rays. Compares searches with closed forms, and both with the conic program of the
 * same rows. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/vec3.h"
#include "effort.h"
#include "sample.h"
#include "shapes/composed/reach.h"
#include "shapes/query/conic_query.h"

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

/* Starts from points inside; also along the axes, where corners and flat parts lie straight ahead. */
Test(reach, is_that_of_the_rows)
{
	int unsolved = 0; /* by the program: few */
	for (int which = 0; which < CASES; which++) {
		for (unsigned seed = 0; seed < (which < 3 ? (unsigned)TEST_EFFORT(4) : 1U); seed++) {
			AbutRng rng = {seed};
			AbutReachCost cost;
			AbutShape *shape = make(which, &cost, &rng);
			sample_move(shape, 1.0, &rng);
			cr_expect_eq(abut_shape_reach_cost(shape), cost, "case %d", which);
			for (int i = 0; i < TEST_EFFORT(200); i++) {
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

/* Draws a start within half the inner radius of the centre, in the shape's own frame, which is the world's here. */
static void draw_ray(const AbutShape *shape, int i, AbutRng *rng, double from[3], double u[3])
{
	sample_direction(rng, u);
	for (int k = 0; k < 3; k++) {
		from[k] = i < 6 ? 0.0 : 0.28 * shape->inner_radius * abut_rng_uniform(rng, -1.0, 1.0);
		u[k] = i < 6 ? (k == i / 2 ? (i % 2 ? -1.0 : 1.0) : 0.0) : u[k];
	}
}

/* An ellipsoid plus itself scaled is a larger one, of semi-axes a: |(from + t u) / a| = 1. Ratios go to 1 : 1000. */
Test(reach, is_that_of_an_ellipsoid)
{
	for (unsigned seed = 0; seed < 8; seed++) {
		AbutRng rng = {seed};
		AbutShape *parts[2] = {NULL}, *sum = NULL;
		const double thin = pow(10.0, -abut_rng_uniform(&rng, 0.0, 3.0)),
		             ratio = abut_rng_uniform(&rng, 0.2, 1.0);
		double half[3] = {1.0, abut_rng_uniform(&rng, thin, 1.0), thin}, a[3];
		cr_assert_eq(abut_shape_create_ellipsoid(half, &parts[0], NULL), ABUT_OK);
		for (int k = 0; k < 3; k++) {
			a[k] = (1.0 + ratio) * half[k];
			half[k] *= ratio;
		}
		cr_assert_eq(abut_shape_create_ellipsoid(half, &parts[1], NULL), ABUT_OK);
		cr_assert_eq(abut_shape_create_minkowski_sum(2, (const AbutShape *const *)parts, &sum, NULL), ABUT_OK);
		cr_expect_eq(abut_shape_reach_cost(sum), ABUT_REACH_SEARCH);
		for (int i = 0; i < 200; i++) {
			double from[3], u[3], p[3], v[3], t = 0.0;
			draw_ray(sum, i, &rng, from, u);
			for (int k = 0; k < 3; k++) {
				p[k] = from[k] / a[k];
				v[k] = u[k] / a[k];
			}
			const double vv = abut_dot3(v, v), pv = abut_dot3(p, v), rest = 1.0 - abut_dot3(p, p);
			const double expected = rest / (pv + sqrt(pv * pv + vv * rest));
			cr_assert(abut_shape_reach(sum, from, u, &t), "seed %u, ray %d", seed, i);
			cr_expect_float_eq(t, expected, 3e-9 * expected, "seed %u, ray %d: %.12g, %.12g", seed, i, t,
			                   expected);
		}
		abut_shape_destroy(sum);
		abut_shape_destroy(parts[0]);
		abut_shape_destroy(parts[1]);
	}
}

/* Where a ray leaves a padded box, the distance of the box is the thickness of the padding. */
Test(reach, is_that_of_a_padded_box)
{
	for (unsigned seed = 0; seed < 8; seed++) {
		AbutRng rng = {seed};
		AbutShape *core = NULL, *padded = NULL;
		double half[3];
		const double R = abut_rng_uniform(&rng, 0.05, 0.5);
		for (int k = 0; k < 3; k++) {
			half[k] = abut_rng_uniform(&rng, 0.2, 1.0);
		}
		cr_assert_eq(abut_shape_create_box(half, &core, NULL), ABUT_OK);
		cr_assert_eq(abut_shape_create_padded_polytope(core, R, &padded, NULL), ABUT_OK);
		cr_expect_eq(abut_shape_reach_cost(padded), ABUT_REACH_SEARCH);
		for (int i = 0; i < 200; i++) {
			double from[3], u[3], out[3], t = 0.0;
			draw_ray(padded, i, &rng, from, u);
			cr_assert(abut_shape_reach(padded, from, u, &t), "seed %u, ray %d", seed, i);
			for (int k = 0; k < 3; k++) {
				out[k] = fmax(fabs(from[k] + t * u[k]) - half[k], 0.0);
			}
			cr_expect_float_eq(abut_norm3(out), R, 3e-9 * t, "seed %u, ray %d: %.12g, %.12g", seed, i,
			                   abut_norm3(out), R);
		}
		abut_shape_destroy(padded);
		abut_shape_destroy(core);
	}
}
