/* Tests exact queries from any start, at any distance, and of very different sizes. */
#include "certificate.h"
#include "collide_pair.h"
#include "effort.h"
#include "shapes/by_size.h"

/* --- starts and poses --- */

/* A start from the last solution changes only the work, not the result. */
Test(collide, warm_is_cold)
{
	for (unsigned seed = 0; seed < TEST_EFFORT(256); seed++) {
		CollidePair pair;
		AbutRng rng = {seed};
		pair_sample(seed, sampled_distance(seed), &pair);
		for (int k = 0; k < 10; k++) {
			for (int j = 0; j < 3; j++) {
				pair.pose[1].position[j] += 0.02 * abut_rng_normal(&rng);
			}
			const AbutCollisionResult warm = pair_solve(&pair, 0.0);
			CollidePair fresh = pair;
			pair_prepare(&fresh);
			const AbutCollisionResult cold = pair_solve(&fresh, 0.0);
			abut_collision_destroy(fresh.collision);
			cr_assert_float_eq(warm.scaling, cold.scaling, 1e-10 * fmax(1.0, cold.scaling), "%s, seed %u",
			                   pair_name(&pair), seed);
			check_certificate(&pair, &warm, "warm", seed);
			for (int j = 0; j < 3; j++) {
				cr_assert_float_eq(warm.normal[j], cold.normal[j], 1e-9, "%s, seed %u: normal %g off",
				                   pair_name(&pair), seed, warm.normal[j] - cold.normal[j]);
			}
			abut_collision_forget(pair.collision);
			const AbutCollisionResult again = pair_solve(&pair, 0.0);
			cr_assert_eq(again.scaling, cold.scaling, "%s, seed %u: forgotten, but not cold",
			             pair_name(&pair), seed);
			pair_solve(&pair, 0.0);
		}
		pair_free(&pair);
	}
}

/* Checks every result: the normal is a unit vector, and the gap separates the shapes along it. The scaling is at least
 * the bound that the normal gives, and exceeds the exact one at most by its stated error. */
static void check_result(const CollidePair *pair, const AbutCollisionResult *r, double exact, unsigned seed)
{
	const double size = pair->shape[0]->outer_radius + pair->shape[1]->outer_radius;
	double centre[2][3], apart = 0.0, back[3], distance = 0.0;
	for (int i = 0; i < 2; i++) {
		pair_centre(pair, i, centre[i]);
	}
	for (int j = 0; j < 3; j++) {
		apart += r->normal[j] * (centre[1][j] - centre[0][j]);
		distance = fmax(distance, fabs(centre[1][j]));
		back[j] = -r->normal[j];
	}
	const double reach = pair_reach(pair, 0, r->normal) + pair_reach(pair, 1, back);
	/* supports of shapes that only rows describe are had to 1e-10 */
	const bool by_rows =
	    pair->shape[0]->kind > ABUT_SHAPE_MINKOWSKI_SUM || pair->shape[1]->kind > ABUT_SHAPE_MINKOWSKI_SUM;
	const double rounding = (by_rows ? 1e-10 : 1e-12) * (size + distance);
	cr_assert_float_eq(abut_norm3(r->normal), 1.0, 1e-12, "%s, seed %u", pair_name(pair), seed);
	cr_assert_float_eq(r->gap, apart - reach, rounding, "%s, seed %u: gap %g, %g along the normal", pair_name(pair),
	                   seed, r->gap, apart - reach);
	cr_assert_geq(r->scaling, apart / reach - 1e-9 * fmax(1.0, exact), "%s, seed %u", pair_name(pair), seed);
	cr_assert_leq(r->scaling, exact + 2.0 * r->error + 1e-9 * fmax(1.0, exact), "%s, seed %u: %g of %g, error %g",
	              pair_name(pair), seed, r->scaling, exact, r->error);
}

/* Tests distances from coinciding centres to opposite ends of a large scene, exactly and on the path. */
Test(collide, at_any_distance)
{
	static const double distances[] = {0.0,  1e-18, 1e-15, 1e-12, 1e-9, 1e-7, 1e-5, 1e-4,
	                                   1e-3, 1e-1,  10.0,  1e3,   1e4,  1e5,  1e6,  1e7};
	enum { STRIDE = 4 / TEST_EFFORT(4) };
	for (unsigned d = 0; d < sizeof distances / sizeof *distances; d++) {
		for (unsigned seed = d % STRIDE; seed < 2 * BOUNDED_KINDS * BOUNDED_KINDS; seed += STRIDE) {
			CollidePair pair;
			pair_sample(seed, distances[d], &pair);
			const AbutCollisionResult r = pair_solve(&pair, 0.0), s = pair_solve(&pair, 1e-8);
			cr_assert_eq(r.outcome, ABUT_OUTCOME_EXACT, "%s, seed %u, at %g", pair_name(&pair), seed,
			             distances[d]);
			/* rounding in auxiliary variables of sums may end the path */
			const bool sum = pair.shape[0]->kind == ABUT_SHAPE_MINKOWSKI_SUM ||
			                 pair.shape[1]->kind == ABUT_SHAPE_MINKOWSKI_SUM;
			cr_assert(s.outcome == ABUT_OUTCOME_RELAXED || (sum && s.outcome == ABUT_OUTCOME_EXACT),
			          "%s, seed %u, at %g", pair_name(&pair), seed, distances[d]);
			cr_assert(distances[d] > 0.0 || r.scaling < 1e-13, "%s, seed %u", pair_name(&pair), seed);
			check_result(&pair, &r, r.scaling, seed);
			check_result(&pair, &s, r.scaling, seed);
			pair_free(&pair);
		}
	}
}

/* Tests size ratios of 1 to 10,000, and bodies as thin as a hair. */
Test(collide, of_very_different_sizes_and_of_thin_shapes)
{
	for (unsigned seed = 0; seed < TEST_EFFORT(1024); seed++) {
		AbutRng rng = {seed};
		CollidePair pair;
		AbutShape *a = sample_shape((AbutShapeKind)(1 + seed % BOUNDED_KINDS), 1.0, &rng);
		AbutShape *b = sample_shape((AbutShapeKind)(1 + seed / BOUNDED_KINDS % BOUNDED_KINDS),
		                            sample_log_uniform(&rng, 1e-4, 1.0), &rng);
		if (seed % 2) {
			abut_shape_destroy(b);
			cr_assert_eq(abut_shape_create_box((const double[3]){0.5, 0.3, 5e-5}, &b, NULL), ABUT_OK);
		}
		pair_place(&pair, a, b, sampled_distance(seed) * (a->outer_radius + b->outer_radius), &rng);
		const AbutCollisionResult r = pair_solve(&pair, 0.0), s = pair_solve(&pair, 1e-8);
		cr_assert_eq(r.outcome, ABUT_OUTCOME_EXACT, "%s, seed %u: error %g", pair_name(&pair), seed, r.error);
		cr_assert_eq(s.outcome, ABUT_OUTCOME_RELAXED, "%s, seed %u", pair_name(&pair), seed);
		check_result(&pair, &r, r.scaling, seed);
		check_result(&pair, &s, r.scaling, seed);
		pair_free(&pair);
	}
}

/* All sizes are independent, from 1e-4 to 1: needles, plates, discs, from nearly concentric to far apart. */
Test(collide, of_needles_and_plates)
{
	for (unsigned seed = 0; seed < TEST_EFFORT(2048); seed++) {
		AbutRng rng = {seed};
		CollidePair pair;
		AbutShape *shape[2];
		for (int i = 0; i < 2; i++) {
			const unsigned kind = 1 + (i == 0 ? seed : seed / PRIMITIVE_KINDS) % PRIMITIVE_KINDS;
			double size[3];
			AbutShape *core = NULL;
			for (int j = 0; j < 3; j++) {
				size[j] = sample_log_uniform(&rng, 1e-4, 1.0);
			}
			core = sample_hull(1.0, &rng);
			if (kind == ABUT_SHAPE_POLYTOPE) {
				shape[i] = core;
				continue;
			}
			shape[i] = shape_by_size((AbutShapeKind)kind, size, core);
			abut_shape_destroy(core);
		}
		const double distance = sample_log_uniform(&rng, 1e-4, 1e4);
		pair_place(&pair, shape[0], shape[1], distance * (shape[0]->outer_radius + shape[1]->outer_radius),
		           &rng);
		const AbutCollisionResult r = pair_solve(&pair, 0.0);
		cr_assert_eq(r.outcome, ABUT_OUTCOME_EXACT, "%s, seed %u: error %g", pair_name(&pair), seed, r.error);
		check_result(&pair, &r, r.scaling, seed);
		pair_free(&pair);
	}
}

/* Tests ratios of one to a hundred thousand. In one of a thousand pairs, rounding keeps the portal's bounds apart, and
 * the conic problem's finish proves the result. */
Test(collide, of_boxes_of_a_hair)
{
	for (unsigned seed = 0; seed < TEST_EFFORT(3000); seed++) {
		AbutRng rng = {seed};
		AbutShape *shape[2];
		CollidePair pair;
		for (int i = 0; i < 2; i++) {
			double half[3];
			for (int j = 0; j < 3; j++) {
				half[j] = sample_log_uniform(&rng, 1e-5, 1.0);
			}
			cr_assert_eq(abut_shape_create_box(half, &shape[i], NULL), ABUT_OK);
		}
		pair_place(&pair, shape[0], shape[1], 1.0, &rng);
		for (int k = 0; k < 10; k++) {
			const double distance = sample_log_uniform(&rng, 0.01, 10.0);
			double u[3];
			sample_unit(3, &rng, u);
			for (int j = 0; j < 3; j++) {
				pair.pose[1].position[j] = pair.pose[0].position[j] + distance * u[j];
			}
			abut_rng_rotation(&rng, pair.pose[0].orientation);
			abut_collision_forget(pair.collision);
			const AbutCollisionResult r = pair_solve(&pair, 0.0);
			cr_assert_eq(r.outcome, ABUT_OUTCOME_EXACT, "seed %u: error %g of %g", seed, r.error,
			             r.scaling);
			check_result(&pair, &r, r.scaling, seed);
		}
		pair_free(&pair);
	}
}

/* Makes two boxes of the same orientation, from hairs to plates; with `turned`, hulls whose faces are across their
 * axes. */
static void parallel_boxes(unsigned seed, bool turned, CollidePair *pair, double half[2][3])
{
	AbutRng rng = {seed};
	AbutShape *shape[2];
	double q[4], R[9];
	abut_rng_rotation(&rng, q);
	abut_quat_to_mat3(q, R);
	for (int i = 0; i < 2; i++) {
		double vertices[24];
		for (int j = 0; j < 3; j++) {
			half[i][j] = sample_log_uniform(&rng, 0.01, 1.0);
		}
		for (int k = 0; k < 8; k++) {
			const double x[3] = {k & 1 ? half[i][0] : -half[i][0], k & 2 ? half[i][1] : -half[i][1],
			                     k & 4 ? half[i][2] : -half[i][2]};
			abut_mat3_vec(R, x, &vertices[3 * k]);
		}
		cr_assert_eq(turned ? abut_shape_create_polytope_from_vertices(8, vertices, &shape[i], NULL)
		                    : abut_shape_create_box(half[i], &shape[i], NULL),
		             ABUT_OK);
	}
	pair_place(pair, shape[0], shape[1], sample_log_uniform(&rng, 0.1, 10.0), &rng);
	memcpy(pair->pose[1].orientation, pair->pose[0].orientation, sizeof pair->pose[1].orientation);
}

/* Computes the largest |D| over the sum of both half extents, along the axes of the boxes. */
static double scaling_of_parallel_boxes(const CollidePair *pair, double half[2][3])
{
	double R[9], apart[3], own[3], alpha = 0.0;
	pose_matrix(&pair->pose[0], R);
	for (int j = 0; j < 3; j++) {
		apart[j] = pair->pose[1].position[j] - pair->pose[0].position[j];
	}
	abut_mat3_tvec(R, apart, own);
	for (int j = 0; j < 3; j++) {
		alpha = fmax(alpha, fabs(own[j]) / (half[0][j] + half[1][j]));
	}
	return alpha;
}

/* Two plates meet like cards of a house. */
Test(collide, relaxed_of_boxes_face_to_face)
{
	static const double kappas[] = {1e-8, 1e-7, 1e-6, 1e-4};
	for (unsigned seed = 0; seed < TEST_EFFORT(2000); seed++) {
		const double kappa = kappas[seed % 4];
		double half[2][3];
		CollidePair pair;
		parallel_boxes(seed, false, &pair, half);
		const double alpha = scaling_of_parallel_boxes(&pair, half);
		const AbutCollisionResult r = pair_solve(&pair, kappa);
		cr_assert_eq(r.outcome, ABUT_OUTCOME_RELAXED, "seed %u, kappa %g", seed, kappa);
		cr_assert_float_eq(r.scaling, alpha, 2.0 * r.error + 1e-9 * fmax(1.0, alpha), "seed %u: %g of %g", seed,
		                   r.scaling, alpha);
		check_result(&pair, &r, alpha, seed);
		pair_free(&pair);
	}
}

/* If rounding ends the path, there still is a result. */
Test(collide, face_to_face_is_exact_where_the_path_ends)
{
	static const double kappas[] = {1e-10, 1e-9, 1e-8};
	int ended = 0;
	for (unsigned seed = 0; seed < TEST_EFFORT(1500); seed++) {
		const double kappa = kappas[seed % 3];
		AbutCollisionGradient gradient;
		double half[2][3];
		CollidePair pair;
		parallel_boxes(seed, true, &pair, half);
		const AbutCollisionResult r = pair_solve(&pair, kappa), exact = pair_solve(&pair, 0.0);
		cr_assert_neq(r.outcome, ABUT_OUTCOME_FAILED, "seed %u, kappa %g", seed, kappa);
		check_result(&pair, &r, exact.scaling, seed);
		if (r.outcome == ABUT_OUTCOME_EXACT) {
			ended++;
			check_certificate(&pair, &r, "path", seed);
			pair_solve(&pair, kappa);
			cr_assert_eq(abut_collision_gradient(pair.collision, &gradient, NULL), ABUT_ERROR_UNSUPPORTED);
		}
		pair_free(&pair);
	}
	cr_assert_gt(ended, 0);
}
