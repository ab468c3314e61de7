/* Tests bundles: copies, moves and supports of their parts. tests/collision/test_union_mass.c tests their mass. */
#include "abut/bundle.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "sample.h"

enum { PARTS = 4 };

static void sample_parts(AbutShape *parts[PARTS], AbutRng *rng)
{
	static const AbutShapeKind kinds[PARTS] = {ABUT_SHAPE_BOX, ABUT_SHAPE_CAPSULE, ABUT_SHAPE_POLYTOPE,
	                                           ABUT_SHAPE_CONE};
	for (int i = 0; i < PARTS; i++) {
		parts[i] = sample_shape(kinds[i], 1.0, rng);
		sample_move(parts[i], 1.0, rng);
	}
}

static void destroy_parts(AbutShape *parts[PARTS])
{
	for (int i = 0; i < PARTS; i++) {
		abut_shape_destroy(parts[i]);
	}
}

Test(bundle, moves_and_scales_as_its_parts)
{
	for (unsigned seed = 0; seed < 20; seed++) {
		AbutRng rng = {seed};
		AbutShape *parts[PARTS];
		AbutBundle *bundle = NULL, *copy = NULL;
		sample_parts(parts, &rng);
		cr_assert_eq(abut_bundle_create(PARTS - 1, (const AbutShape *const *)parts, &bundle, NULL), ABUT_OK);
		cr_assert_eq(abut_bundle_append(bundle, 1, (const AbutShape *const *)&parts[PARTS - 1], NULL), ABUT_OK);
		double q[4], R[9], t[3];
		abut_rng_rotation(&rng, q);
		abut_quat_to_mat3(q, R);
		sample_direction(&rng, t);
		cr_assert_eq(abut_bundle_move(bundle, R, t, NULL), ABUT_OK);
		cr_assert_eq(abut_bundle_scale(bundle, 0.7, NULL), ABUT_OK);
		cr_assert_eq(abut_bundle_clone(bundle, &copy, NULL), ABUT_OK);
		cr_assert_eq(bundle->n_parts, PARTS);
		abut_bundle_destroy(bundle);
		for (int i = 0; i < PARTS; i++) {
			cr_assert_eq(abut_shape_move(parts[i], R, t, NULL), ABUT_OK);
			cr_assert_eq(abut_shape_scale(parts[i], 0.7, NULL), ABUT_OK);
		}
		for (int k = 0; k < 20; k++) {
			double u[3], point[3], best = -INFINITY;
			sample_direction(&rng, u);
			for (int i = 0; i < PARTS; i++) {
				best = fmax(best, abut_shape_support(parts[i], u, NULL));
			}
			cr_expect_eq(abut_bundle_support(copy, u, point), best, "seed %u", seed);
			cr_expect_float_eq(abut_dot3(u, point), best, 1e-13, "seed %u", seed);
		}
		double lower[3], upper[3];
		abut_bundle_bounds(copy, lower, upper);
		for (int i = 0; i < 3; i++) {
			const double axis[3] = {i == 0, i == 1, i == 2}, back[3] = {-(i == 0), -(i == 1), -(i == 2)};
			cr_expect_eq(upper[i], abut_bundle_support(copy, axis, NULL), "seed %u", seed);
			cr_expect_eq(lower[i], -abut_bundle_support(copy, back, NULL), "seed %u", seed);
		}
		abut_bundle_destroy(copy);
		destroy_parts(parts);
	}
}

/* A given mass is moved, scaled and copied with the bundle, like that of a shape. Adding parts later drops it. */
Test(bundle, takes_a_mass_along)
{
	static const AbutMassProperties given = {3.0, {0.1, 0.2, 0.3}, {2.0, 0.1, 0.0, 0.1, 3.0, -0.2, 0.0, -0.2, 4.0}};
	for (unsigned seed = 0; seed < 20; seed++) {
		AbutRng rng = {seed};
		AbutShape *parts[PARTS];
		AbutBundle *bundle = NULL, *copy = NULL;
		sample_parts(parts, &rng);
		cr_assert_eq(abut_bundle_create(PARTS, (const AbutShape *const *)parts, &bundle, NULL), ABUT_OK);
		cr_expect_not(bundle->mass_given);
		cr_assert_eq(abut_bundle_set_mass(bundle, &given, NULL), ABUT_OK);
		cr_assert_eq(abut_shape_set_mass(parts[0], &given, NULL), ABUT_OK);
		double q[4], R[9], t[3];
		abut_rng_rotation(&rng, q);
		abut_quat_to_mat3(q, R);
		sample_direction(&rng, t);
		cr_assert_eq(abut_bundle_move(bundle, R, t, NULL), ABUT_OK);
		cr_assert_eq(abut_shape_move(parts[0], R, t, NULL), ABUT_OK);
		cr_assert_eq(abut_bundle_scale(bundle, 0.7, NULL), ABUT_OK);
		cr_assert_eq(abut_shape_scale(parts[0], 0.7, NULL), ABUT_OK);
		cr_assert_eq(abut_bundle_clone(bundle, &copy, NULL), ABUT_OK);
		cr_expect(copy->mass_given, "seed %u", seed);
		cr_expect_eq(memcmp(&copy->mass, &parts[0]->mass, sizeof given), 0, "seed %u", seed);
		cr_assert_eq(abut_bundle_append(copy, 1, (const AbutShape *const *)parts, NULL), ABUT_OK);
		cr_expect(!copy->mass_given && copy->mass.volume == 0.0);
		abut_bundle_destroy(copy);
		abut_bundle_destroy(bundle);
		destroy_parts(parts);
	}
}

Test(bundle, refuses_what_is_no_mass)
{
	AbutBundle *bundle = NULL;
	AbutError error;
	cr_assert_eq(abut_bundle_create(0, NULL, &bundle, NULL), ABUT_OK);
	const AbutMassProperties right = {3.0, {0.1, 0.2, 0.3}, {2.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 4.0}};
	AbutMassProperties wrong[5] = {right, right, right, right, right};
	wrong[0].volume = -1.0;
	wrong[1].centre_of_mass[2] = NAN;
	wrong[2].centre_of_mass[0] = -2e9;
	wrong[3].inertia[4] = 0.0;
	wrong[4].inertia[1] = 0.1;
	for (int i = 0; i < 5; i++) {
		cr_expect_eq(abut_bundle_set_mass(bundle, &wrong[i], &error), ABUT_ERROR_ARGUMENT, "%d", i);
		cr_expect_str_eq(error.where, "mass_properties");
		cr_expect_not(bundle->mass_given);
	}
	cr_expect_eq(abut_bundle_set_mass(NULL, &right, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_bundle_set_mass(bundle, NULL, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_bundle_set_mass(bundle, &right, &error), ABUT_OK);
	abut_bundle_destroy(bundle);
}

/* If one part refuses a change, all parts stay as they were. Parts of a bundle may be appended to itself. */
Test(bundle, is_changed_all_or_not_at_all)
{
	static const double reflection[9] = {-1, 0, 0, 0, 1, 0, 0, 0, 1}, zero[3] = {0.0};
	const double up[3] = {0.0, 0.0, 1.0};
	AbutRng rng = {1};
	AbutShape *parts[PARTS];
	AbutBundle *bundle = NULL;
	AbutError error;
	sample_parts(parts, &rng);
	cr_assert_eq(abut_bundle_create(PARTS, (const AbutShape *const *)parts, &bundle, NULL), ABUT_OK);
	const double height = abut_bundle_support(bundle, up, NULL);
	cr_expect_eq(abut_bundle_move(bundle, reflection, zero, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "rotation");
	cr_expect_eq(abut_bundle_scale(bundle, 1e30, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "factor");
	cr_expect_eq(abut_bundle_append(bundle, -1, NULL, &error), ABUT_ERROR_ARGUMENT);
	const AbutShape *const hole[1] = {NULL};
	cr_expect_eq(abut_bundle_append(bundle, 1, hole, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_bundle_support(bundle, up, NULL), height);
	cr_expect_eq(abut_bundle_append(bundle, bundle->n_parts, bundle->parts, &error), ABUT_OK);
	cr_expect_eq(bundle->n_parts, 2 * PARTS);
	cr_expect_eq(abut_bundle_support(bundle, up, NULL), height);
	abut_bundle_destroy(bundle);
	destroy_parts(parts);
	AbutBundle *none = bundle;
	cr_expect_eq(abut_bundle_clone(NULL, &none, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_null(none);
	cr_expect_eq(abut_bundle_create(0, NULL, &none, NULL), ABUT_OK);
	cr_expect_eq(abut_bundle_support(none, up, NULL), -INFINITY);
	abut_bundle_destroy(none);
	abut_bundle_destroy(NULL);
}
