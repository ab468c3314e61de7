/* Tests queries of superellipsoids with every other kind: certificates by closed-form supports, the conic path,
 * gradients. */
#include "collide_pair.h"
#include "effort.h"
#include "shapes/superellipsoid.h"

/* Draws a superellipsoid and a shape of kind 1 + seed % kinds, moved, in this order or reversed. */
static void sample_pair(unsigned seed, double distance, CollidePair *pair)
{
	AbutRng rng = {seed};
	AbutShape *a = sample_shape(ABUT_SHAPE_SMOOTH, 1.0, &rng);
	AbutShape *b = sample_shape((AbutShapeKind)(1 + seed % (ABUT_SHAPE_COUNT - 1)), 1.0, &rng);
	sample_move(a, 0.3, &rng);
	sample_move(b, 0.3, &rng);
	pair_place(pair, seed / 2 % 2 ? b : a, seed / 2 % 2 ? a : b, distance, &rng);
}

/* Returns the reach of a shape about its centre, by the dual norm for a superellipsoid. */
static double reach_of(const CollidePair *pair, int i, const double n[3])
{
	const AbutShape *shape = pair->shape[i];
	double radii[3], exponents[2], R[9], given[3], own[3], point[3];
	if (!abut_shape_is_superellipsoid(shape, radii, exponents)) {
		return pair_reach(pair, i, n);
	}
	pose_matrix(&pair->pose[i], R);
	abut_mat3_tvec(R, n, given);
	abut_mat3_tvec(shape->rotation, given, own);
	double offset = 0.0;
	for (int j = 0; j < 3; j++) {
		offset += given[j] * (shape->position[j] - shape->centre[j]);
	}
	return superellipsoid_support(radii, exponents, own, point) + offset;
}

/* alpha = n.D / (h_a(n) + h_b(-n)) is a lower bound for any n. A point that reaches this bound proves the growth
 * distance. */
Test(smooth_pairs, are_certified)
{
	for (unsigned seed = 0; seed < TEST_EFFORT(3000); seed++) {
		AbutRng rng = {seed};
		CollidePair pair;
		double centre[2][3], back[3], apart = 0.0;
		sample_pair(seed, sample_log_uniform(&rng, 1e-2, 10.0), &pair);
		const AbutCollisionResult r = pair_solve(&pair, 0.0);
		cr_assert_eq(r.outcome, ABUT_OUTCOME_EXACT, "%s, seed %u: error %g of %g", pair_name(&pair), seed,
		             r.error, r.scaling);
		for (int i = 0; i < 2; i++) {
			pair_centre(&pair, i, centre[i]);
		}
		for (int j = 0; j < 3; j++) {
			back[j] = -r.normal[j];
			apart += r.normal[j] * (centre[1][j] - centre[0][j]);
		}
		const double bound = apart / (reach_of(&pair, 0, r.normal) + reach_of(&pair, 1, back));
		cr_assert_float_eq(r.scaling, bound, 1e-9 * fmax(1.0, r.scaling), "%s, seed %u: %.12g, certified %.12g",
		                   pair_name(&pair), seed, r.scaling, bound);
		pair_free(&pair);
	}
}

/* Brute force over directions all round: none gives a larger bound than alpha, and the best one is close to it. Of
 * 20,000 directions one is within 0.02 rad, and the bound is flat at its maximum. */
Test(smooth_pairs, growth_is_that_of_brute_force)
{
	enum { DIRECTIONS = 20000 };
	for (unsigned seed = 0; seed < 40; seed++) {
		CollidePair pair;
		double centre[2][3], best = 0.0;
		sample_pair(seed * 9 + 8, 1.5, &pair); /* two superellipsoids */
		const AbutCollisionResult r = pair_solve(&pair, 0.0);
		for (int i = 0; i < 2; i++) {
			pair_centre(&pair, i, centre[i]);
		}
		for (int k = 0; k < DIRECTIONS; k++) {
			const double z = 1.0 - (2.0 * k + 1.0) / DIRECTIONS, across = sqrt(1.0 - z * z);
			const double turn = k * M_PI * (3.0 - sqrt(5.0));
			const double n[3] = {across * cos(turn), across * sin(turn), z},
			             back[3] = {-n[0], -n[1], -n[2]};
			double apart = 0.0;
			for (int j = 0; j < 3; j++) {
				apart += n[j] * (centre[1][j] - centre[0][j]);
			}
			best = fmax(best, apart / (reach_of(&pair, 0, n) + reach_of(&pair, 1, back)));
		}
		cr_assert_leq(best, r.scaling * (1.0 + 1e-10), "seed %u", seed);
		cr_assert_geq(best, r.scaling * (1.0 - 2e-2), "seed %u: %g, brute force %g", seed, r.scaling, best);
		pair_free(&pair);
	}
}

/* The relaxed answer, by the conic path, tends to the exact one. */
Test(smooth_pairs, relaxed_is_near_exact)
{
	long relaxed = 0, all = 0;
	for (unsigned seed = 0; seed < TEST_EFFORT(900); seed++) {
		AbutRng rng = {seed};
		CollidePair pair;
		sample_pair(seed, sample_log_uniform(&rng, 0.3, 5.0), &pair);
		const AbutCollisionResult r = pair_solve(&pair, 0.0), s = pair_solve(&pair, 1e-6);
		all++;
		relaxed += s.outcome == ABUT_OUTCOME_RELAXED;
		cr_assert_float_eq(s.scaling, r.scaling, 2.0 * s.error + 1e-9 * fmax(1.0, r.scaling),
		                   "%s, seed %u: %.12g, %.12g, error %g", pair_name(&pair), seed, s.scaling, r.scaling,
		                   s.error);
		pair_free(&pair);
	}
	cr_assert_geq(relaxed, all - all / 100, "%ld of %ld are on the path", relaxed, all);
}

/* Compares the derivatives of alpha, point and normal by poses with central differences of the query. */
Test(smooth_pairs, gradients_are_those_of_differences)
{
	static const double kappa = 1e-3, step = 1e-5;
	for (unsigned seed = 0; seed < 90; seed++) {
		CollidePair pair;
		AbutCollisionGradient gradient;
		AbutError error = {0};
		sample_pair(seed, 2.0, &pair);
		cr_assert_eq(pair_solve(&pair, kappa).outcome, ABUT_OUTCOME_RELAXED, "%s, seed %u", pair_name(&pair),
		             seed);
		cr_assert_eq(abut_collision_gradient(pair.collision, &gradient, &error), ABUT_OK, "%s, seed %u: %s",
		             pair_name(&pair), seed, error.message);
		for (int column = 0; column < 12; column++) {
			double value[2][7];
			for (int k = 0; k < 2; k++) {
				const AbutPose kept = pair.pose[column / 6];
				AbutPose *pose = &pair.pose[column / 6];
				const double h = k ? -step : step;
				if (column % 6 < 3) {
					pose->position[column % 6] += h;
				} else {
					double turn[4] = {cos(0.5 * h), 0.0, 0.0, 0.0}, q[4];
					turn[1 + column % 3] = sin(0.5 * h);
					abut_quat_mul(kept.orientation, turn, q);
					memcpy(pose->orientation, q, sizeof q);
				}
				const AbutCollisionResult r = pair_solve(&pair, kappa);
				value[k][0] = r.scaling;
				memcpy(&value[k][1], r.point, sizeof r.point);
				memcpy(&value[k][4], r.normal, sizeof r.normal);
				*pose = kept;
			}
			for (int i = 0; i < 7; i++) {
				const double difference = (value[0][i] - value[1][i]) / (2.0 * step);
				const double own = i == 0  ? gradient.scaling[column]
				                   : i < 4 ? gradient.point[i - 1][column]
				                           : gradient.normal[i - 4][column];
				cr_assert_float_eq(own, difference, 1e-5 * fmax(1.0, fabs(difference)),
				                   "%s, seed %u: value %d by %d is %.9g, differences %.9g",
				                   pair_name(&pair), seed, i, column, own, difference);
			}
		}
		pair_free(&pair);
	}
}
