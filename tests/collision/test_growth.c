/* Compares the growth distance by support functions with the conic problem, which does not use supports, and with its
 * own certificate. */
#include "collide_pair.h"
#include "collision/growth/growth.h"
#include "effort.h"
#include "shapes/support/support.h"

static void place(const CollidePair *pair, AbutGrowthSide side[2])
{
	for (int i = 0; i < 2; i++) {
		double R[9];
		pose_matrix(&pair->pose[i], R);
		abut_growth_place(pair->shape[i], pair->pose[i].position, R, &side[i]);
	}
}

Test(growth, is_the_conic_one_for_all_pairs)
{
	for (unsigned seed = 0; seed < TEST_EFFORT(1280); seed++) {
		AbutRng rng = {seed};
		AbutGrowthSide side[2];
		AbutGrowthContact contact = {.count = 0};
		AbutGrowth growth;
		CollidePair pair;
		pair_sample(seed, sample_log_uniform(&rng, 0.05, 5.0), &pair);
		place(&pair, side);
		cr_assert(abut_growth_solve(&side[0], &side[1], &contact, &growth), "%s, seed %u: error %g",
		          pair_name(&pair), seed, growth.error);
		cr_assert_leq(growth.supports, 120, "%s, seed %u: %d supports", pair_name(&pair), seed,
		              growth.supports);
		const AbutCollisionResult conic = pair_solve(&pair, 1e-9);
		cr_assert_eq(conic.outcome, ABUT_OUTCOME_RELAXED, "%s, seed %u", pair_name(&pair), seed);
		cr_assert_float_eq(growth.alpha, conic.scaling, conic.error + 1e-9 * fmax(1.0, growth.alpha),
		                   "%s, seed %u: %.12g of %.12g", pair_name(&pair), seed, growth.alpha, conic.scaling);
		cr_assert_geq(abut_dot3(growth.normal, conic.normal), 0.99, "%s, seed %u", pair_name(&pair), seed);
		pair_free(&pair);
	}
}

/* Faces and edges are parallel, up to rounding or slightly off. The portal is flat, and the point is not unique. */
Test(growth, boxes_face_to_face)
{
	static const double tilts[] = {0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3};
	for (unsigned seed = 0; seed < 600; seed++) {
		AbutRng rng = {seed};
		double half[2][3], largest = 0.0;
		AbutShape *shape[2];
		CollidePair pair;
		for (int i = 0; i < 2; i++) {
			for (int j = 0; j < 3; j++) {
				half[i][j] = sample_log_uniform(&rng, 0.1, 10.0);
			}
			cr_assert_eq(abut_shape_create_box(half[i], &shape[i], NULL), ABUT_OK);
		}
		const double tilt = tilts[seed % 6];
		pair_place(&pair, shape[0], shape[1], 1.0, &rng);
		for (int i = 0; i < 2; i++) {
			const double q[4] = {1.0, i * tilt * abut_rng_normal(&rng), i * tilt * abut_rng_normal(&rng),
			                     0.0};
			memcpy(pair.pose[i].orientation, q, sizeof q);
			abut_quat_normalise(pair.pose[i].orientation);
		}
		for (int j = 0; j < 3; j++) {
			const bool flush = seed % 4 == (unsigned)j;
			const double apart = (half[0][j] + half[1][j]) * abut_rng_uniform(&rng, -1.5, 1.5);
			pair.pose[0].position[j] = 0.0;
			pair.pose[1].position[j] = flush ? half[0][j] + half[1][j] : apart;
			largest = fmax(largest, fabs(pair.pose[1].position[j]) / (half[0][j] + half[1][j]));
		}
		const AbutCollisionResult result = pair_solve(&pair, 0.0);
		cr_assert_eq(result.outcome, ABUT_OUTCOME_EXACT, "seed %u: error %g", seed, result.error);
		cr_assert_float_eq(result.scaling, largest, (1e-10 + 300.0 * tilt) * fmax(1.0, largest), "seed %u",
		                   seed);
		pair_free(&pair);
	}
}

/* Moves slowly: the next query of two shapes starts where the last one ended, and costs only a few supports. */
static double warm_supports(AbutShapeKind kind_a, AbutShapeKind kind_b)
{
	long supports = 0, queries = 0;
	for (unsigned seed = 0; seed < 100; seed++) {
		AbutRng rng = {seed};
		CollidePair pair;
		AbutGrowthContact contact = {.count = 0};
		AbutShape *a = sample_shape(kind_a, 1.0, &rng), *b = sample_shape(kind_b, 1.0, &rng);
		pair_place(&pair, a, b, 2.0, &rng);
		for (int k = 0; k < 20; k++) {
			AbutGrowthSide side[2];
			AbutGrowth growth;
			pair.pose[1].position[k % 3] += 1e-4;
			place(&pair, side);
			cr_assert(abut_growth_solve(&side[0], &side[1], &contact, &growth), "seed %u", seed);
			supports += k > 0 ? growth.supports : 0;
			queries += k > 0;
		}
		pair_free(&pair);
	}
	return (double)supports / (double)queries;
}

Test(growth, warm_starts_are_short)
{
	for (int a = 1; a <= (int)ABUT_SHAPE_CONE; a++) { /* the others have no pieces */
		for (int b = a; b <= (int)ABUT_SHAPE_CONE; b++) {
			const bool flat = b <= (int)ABUT_SHAPE_POLYTOPE;
			const double supports = warm_supports((AbutShapeKind)a, (AbutShapeKind)b);
			cr_assert_lt(supports, flat ? 2.1 : 3.3, "%s, %s: %.2f supports a query",
			             abut_shape_kind_name((AbutShapeKind)a), abut_shape_kind_name((AbutShapeKind)b),
			             supports);
		}
	}
}

/* After a jump the last directions may be anywhere: their corners may coincide, or lie behind the start of the ray. */
Test(growth, a_start_that_does_not_fit_is_dropped)
{
	for (unsigned seed = 0; seed < 60; seed++) {
		AbutRng rng = {seed};
		CollidePair pair;
		AbutGrowthContact contact = {.count = 0};
		AbutShape *a = sample_shape(seed % 2 ? ABUT_SHAPE_POLYTOPE : ABUT_SHAPE_BOX, 1.0, &rng);
		AbutShape *b = sample_shape(ABUT_SHAPE_POLYTOPE, 1.0, &rng);
		pair_place(&pair, a, b, 2.0, &rng);
		for (int k = 0; k < 2000; k++) {
			AbutGrowthSide side[2];
			AbutGrowth growth, cold;
			AbutGrowthContact none = {.count = 0};
			abut_rng_rotation(&rng, pair.pose[k % 2].orientation);
			for (int j = 0; j < 3; j++) {
				pair.pose[1].position[j] = pair.pose[0].position[j] + 2.0 * abut_rng_normal(&rng);
			}
			place(&pair, side);
			cr_assert(abut_growth_solve(&side[0], &side[1], &none, &cold), "seed %u, jump %d", seed, k);
			cr_assert(abut_growth_solve(&side[0], &side[1], &contact, &growth), "seed %u, jump %d", seed,
			          k);
			cr_assert_float_eq(growth.alpha, cold.alpha, 1e-11 * fmax(1.0, cold.alpha), "seed %u, jump %d",
			                   seed, k);
		}
		pair_free(&pair);
	}
}

/* From a cold start, Newton's method needs few evaluations for curved pairs, and the portal none of its hundreds. */
Test(growth, few_evaluations_for_curved_pairs)
{
	long supports = 0, queries = 0;
	for (unsigned seed = 0; seed < TEST_EFFORT(2560); seed++) {
		AbutRng rng = {seed};
		AbutGrowthSide side[2];
		AbutGrowthContact contact = {.count = 0};
		AbutGrowth growth;
		CollidePair pair;
		pair_sample(seed, sample_log_uniform(&rng, 1e-4, 1e3), &pair);
		if (!abut_shape_has_pieces(pair.shape[0]) || !abut_shape_has_pieces(pair.shape[1])) {
			pair_free(&pair);
			continue;
		}
		place(&pair, side);
		cr_assert(abut_growth_solve(&side[0], &side[1], &contact, &growth), "%s, seed %u", pair_name(&pair),
		          seed);
		cr_assert_leq(growth.error, 1e-10 * growth.alpha, "%s, seed %u: error %g of %g", pair_name(&pair), seed,
		              growth.error, growth.alpha);
		cr_assert_leq(growth.supports, 40, "%s, seed %u: %d supports", pair_name(&pair), seed, growth.supports);
		supports += growth.supports;
		queries++;
		pair_free(&pair);
	}
	cr_assert_lt((double)supports / (double)queries, 7.0, "%.2f supports a query",
	             (double)supports / (double)queries);
}

/* Two cylinders lie side by side or end to end: C is a disc times a segment. If they are tilted, parallel ends and
 * sides leave the normal to the tilt. */
Test(growth, cylinders_along_each_other)
{
	static const double tilts[] = {0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3};
	for (unsigned seed = 0; seed < TEST_EFFORT(1200); seed++) {
		AbutRng rng = {seed};
		double radius[2], length[2];
		AbutShape *shape[2];
		CollidePair pair;
		const double tilt = tilts[seed % 6];
		for (int i = 0; i < 2; i++) {
			radius[i] = sample_log_uniform(&rng, 0.3, 3.0);
			length[i] = sample_log_uniform(&rng, 0.3, 3.0);
			cr_assert_eq(abut_shape_create_cylinder(radius[i], length[i], &shape[i], NULL), ABUT_OK);
		}
		pair_place(&pair, shape[0], shape[1], 1.0, &rng);
		for (int i = 0; i < 2; i++) {
			const double q[4] = {1.0, i * tilt * abut_rng_normal(&rng), i * tilt * abut_rng_normal(&rng),
			                     0.0};
			memcpy(pair.pose[i].orientation, q, sizeof q);
			abut_quat_normalise(pair.pose[i].orientation);
		}
		memset(pair.pose[0].position, 0, sizeof pair.pose[0].position);
		for (int j = 0; j < 3; j++) {
			pair.pose[1].position[j] = 2.0 * abut_rng_normal(&rng);
		}
		const double *x = pair.pose[1].position;
		const double alpha =
		    fmax(hypot(x[0], x[1]) / (radius[0] + radius[1]), 2.0 * fabs(x[2]) / (length[0] + length[1]));
		const AbutCollisionResult result = pair_solve(&pair, 0.0);
		cr_assert_eq(result.outcome, ABUT_OUTCOME_EXACT, "seed %u: error %g", seed, result.error);
		cr_assert_float_eq(result.scaling, alpha, (1e-10 + 300.0 * tilt) * fmax(1.0, alpha),
		                   "seed %u: %.12g of %.12g", seed, result.scaling, alpha);
		pair_free(&pair);
	}
}
