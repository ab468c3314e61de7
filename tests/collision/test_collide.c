/* Tests exact queries of two shapes through the public interface: certificates, closed forms, memory and refusals. */
#include "allocation_watch.h"
#include "certificate.h"
#include "collide_pair.h"
#include "effort.h"
#include "shapes/by_size.h"

/* Starts cold, and from the answer at a pose nearby. */
Test(collide, is_certified_for_all_pairs)
{
	for (unsigned seed = 0; seed < TEST_EFFORT(2560); seed++) {
		AbutRng rng = {seed + 55555};
		CollidePair pair;
		pair_sample(seed, sampled_distance(seed), &pair);
		const AbutCollisionResult cold = pair_solve(&pair, 0.0);
		check_certificate(&pair, &cold, "cold", seed);
		for (int k = 0; k < 6; k++) {
			const double step = sample_log_uniform(&rng, 1e-4, 1e-1);
			for (int j = 0; j < 3; j++) {
				pair.pose[1].position[j] += step * abut_rng_normal(&rng);
			}
			const AbutCollisionResult warm = pair_solve(&pair, 0.0);
			check_certificate(&pair, &warm, "warm", seed);
		}
		pair_free(&pair);
	}
}

Test(collide, exchanging_the_shapes_turns_the_normal_round)
{
	for (unsigned seed = 0; seed < TEST_EFFORT(1536); seed++) {
		AbutRng rng = {seed};
		CollidePair pair, other;
		pair_sample(seed, seed % 3 ? sampled_distance(seed) : sample_log_uniform(&rng, 1e-9, 1e-2), &pair);
		other = pair;
		other.shape[0] = pair.shape[1];
		other.shape[1] = pair.shape[0];
		other.pose[0] = pair.pose[1];
		other.pose[1] = pair.pose[0];
		pair_prepare(&other);
		const AbutCollisionResult r = pair_solve(&pair, 0.0), s = pair_solve(&other, 0.0);
		cr_assert_float_eq(r.scaling, s.scaling, 1e-10 * fmax(1.0, r.scaling), "%s, seed %u", pair_name(&pair),
		                   seed);
		for (int j = 0; j < 3; j++) {
			cr_assert_float_eq(r.normal[j], -s.normal[j], 1e-9, "%s, seed %u: %g", pair_name(&pair), seed,
			                   r.normal[j] + s.normal[j]);
		}
		abut_collision_destroy(other.collision);
		pair_free(&pair);
	}
}

/* alpha = distance / (R1 + R2), and the point divides the line in the ratio of the radii. */
Test(collide, spheres)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {seed};
		const double r = sample_log_uniform(&rng, 1e-3, 1e3), s = sample_log_uniform(&rng, 1e-3, 1e3);
		const double distance = (r + s) * sample_log_uniform(&rng, 0.01, 100.0);
		AbutShape *a, *b;
		CollidePair pair;
		cr_assert_eq(abut_shape_create_sphere(r, &a, NULL), ABUT_OK);
		cr_assert_eq(abut_shape_create_sphere(s, &b, NULL), ABUT_OK);
		pair_place(&pair, a, b, distance, &rng);
		const AbutCollisionResult result = pair_solve(&pair, 0.0);
		const double alpha = distance / (r + s), *x = pair.pose[0].position, *y = pair.pose[1].position;
		cr_assert_float_eq(result.scaling, alpha, 1e-10 * fmax(1.0, alpha), "seed %u", seed);
		cr_assert_float_eq(result.gap, distance - r - s, 1e-9 * (r + s) * fmax(1.0, alpha), "seed %u", seed);
		for (int j = 0; j < 3; j++) {
			const double u = (y[j] - x[j]) / distance;
			cr_assert_float_eq(result.normal[j], u, 1e-9, "seed %u", seed);
			cr_assert_float_eq(result.point[j], x[j] + alpha * r * u, 1e-9 * (r + distance), "seed %u",
			                   seed);
		}
		pair_free(&pair);
	}
}

/* Computes the distance of two segments of half lengths p, q about c, d along u, v: by golden section over one
 * parameter, in closed form for the other. */
static double segment_distance(const double c[3], const double u[3], double p, const double d[3], const double v[3],
                               double q)
{
	static const double ratio = 0.61803398874989484820;
	double low = -p, high = p, least = INFINITY;
	for (int k = 0; k < 120; k++) {
		const double at[2] = {high - ratio * (high - low), low + ratio * (high - low)};
		double value[2];
		for (int i = 0; i < 2; i++) {
			double w[3];
			for (int j = 0; j < 3; j++) {
				w[j] = c[j] + at[i] * u[j] - d[j];
			}
			const double t = fmin(fmax(abut_dot3(w, v), -q), q);
			for (int j = 0; j < 3; j++) {
				w[j] -= t * v[j];
			}
			value[i] = abut_norm3(w);
			least = fmin(least, value[i]);
		}
		if (value[0] < value[1]) {
			high = at[1];
		} else {
			low = at[0];
		}
	}
	return least;
}

/* Two capsules scaled by alpha touch: their axes, scaled too, are alpha (R1 + R2) apart. */
Test(collide, capsules_by_the_distance_of_their_scaled_axes)
{
	for (unsigned seed = 0; seed < 500; seed++) {
		AbutRng rng = {seed};
		double radius[2], length[2], R[2][9], axis[2][3];
		AbutShape *shape[2];
		CollidePair pair;
		for (int i = 0; i < 2; i++) {
			radius[i] = sample_log_uniform(&rng, 0.2, 2.0);
			length[i] = sample_log_uniform(&rng, 0.1, 5.0);
			cr_assert_eq(abut_shape_create_capsule(radius[i], length[i], &shape[i], NULL), ABUT_OK);
		}
		pair_place(&pair, shape[0], shape[1], sample_log_uniform(&rng, 0.2, 20.0), &rng);
		const AbutCollisionResult result = pair_solve(&pair, 0.0);
		for (int i = 0; i < 2; i++) {
			pose_matrix(&pair.pose[i], R[i]);
			for (int j = 0; j < 3; j++) {
				axis[i][j] = R[i][3 * j + 2];
			}
		}
		const double alpha = result.scaling;
		const double distance = segment_distance(pair.pose[0].position, axis[0], 0.5 * alpha * length[0],
		                                         pair.pose[1].position, axis[1], 0.5 * alpha * length[1]);
		cr_assert_float_eq(distance, alpha * (radius[0] + radius[1]), 1e-9 * fmax(1.0, alpha), "seed %u", seed);
		pair_free(&pair);
	}
}

/* Scaling is the height of the centre over the reach downwards, 0 below the plane. The gap is the height of the lowest
 * point. The normal goes from the shape into the plane, or out of it. */
Test(collide, halfspaces)
{
	for (unsigned seed = 0; seed < 400; seed++) {
		AbutRng rng = {seed};
		const bool plane_first = seed % 2 == 1;
		AbutShape *shape =
		    sample_shape((AbutShapeKind)(1 + seed % BOUNDED_KINDS), sample_log_uniform(&rng, 0.01, 10.0), &rng);
		AbutShape *plane = sample_shape(ABUT_SHAPE_HALFSPACE, 1.0, &rng);
		CollidePair pair;
		double R[9], n[3], down[3], up[3], centre[3];
		sample_move(plane, 0.5, &rng);
		pair_place(&pair, plane_first ? plane : shape, plane_first ? shape : plane,
		           shape->outer_radius * abut_rng_uniform(&rng, -2.0, 3.0), &rng);
		const int body = plane_first ? 1 : 0, ground = 1 - body;
		/* the plane's normal and a point of it, from the shape's own frame alone */
		pose_matrix(&pair.pose[ground], R);
		const double z[3] = {plane->rotation[2], plane->rotation[5], plane->rotation[8]};
		double on[3];
		abut_mat3_vec(R, z, n);
		abut_mat3_vec(R, plane->position, on);
		pair_centre(&pair, body, centre);
		double height = -plane->size[0];
		for (int j = 0; j < 3; j++) {
			height += n[j] * (centre[j] - on[j] - pair.pose[ground].position[j]);
			down[j] = -n[j];
			up[j] = n[j];
		}
		const double reach = pair_reach(&pair, body, down), alpha = fmax(height / reach, 0.0);
		const AbutCollisionResult result = pair_solve(&pair, 0.0);
		cr_assert_eq(result.outcome, ABUT_OUTCOME_EXACT);
		cr_assert_float_eq(result.scaling, alpha, 1e-10 * fmax(1.0, alpha), "%s, seed %u", pair_name(&pair),
		                   seed);
		cr_assert_float_eq(result.gap, height - reach, 1e-10 * (reach + fabs(height)), "seed %u", seed);
		for (int j = 0; j < 3; j++) {
			cr_assert_float_eq(result.normal[j], plane_first ? up[j] : down[j], 1e-12, "seed %u", seed);
		}
		/* the conic path comes to the same */
		const AbutCollisionResult relaxed = pair_solve(&pair, 1e-9);
		cr_assert_eq(relaxed.outcome, ABUT_OUTCOME_RELAXED, "%s, seed %u", pair_name(&pair), seed);
		cr_assert_float_eq(relaxed.scaling, alpha, 2.0 * relaxed.error + 1e-9 * fmax(1.0, alpha), "%s, seed %u",
		                   pair_name(&pair), seed);
		cr_assert_float_eq(relaxed.gap, result.gap, 1e-12 * (reach + fabs(height)), "%s, seed %u",
		                   pair_name(&pair), seed);
		for (int j = 0; j < 3; j++) {
			cr_assert_float_eq(relaxed.normal[j], result.normal[j], 1e-12, "%s, seed %u", pair_name(&pair),
			                   seed);
		}
		pair_free(&pair);
	}
}

/* --- polytopes by brute force --- */

/* Computes the rows a.x + b alpha <= c of both polytopes in (x, alpha), world. */
static int lp_rows(const CollidePair *pair, double rows[][5])
{
	int n = 0;
	for (int i = 0; i < 2; i++) {
		const AbutShape *s = pair->shape[i];
		double R[9];
		pose_matrix(&pair->pose[i], R);
		for (int r = 0; r < s->n_rows; r++, n++) {
			abut_mat3_vec(R, &s->A[3 * r], rows[n]);
			rows[n][3] = -s->d[r];
			rows[n][4] = s->h[r] + abut_dot3(rows[n], pair->pose[i].position);
		}
	}
	return n;
}

/* Solves four chosen rows as equations, by elimination with pivoting. */
static bool lp_vertex(double rows[][5], const int chosen[4], double x[4])
{
	double M[4][5];
	for (int i = 0; i < 4; i++) {
		memcpy(M[i], rows[chosen[i]], sizeof M[i]);
	}
	for (int p = 0; p < 4; p++) {
		int best = p;
		for (int r = p; r < 4; r++) {
			best = fabs(M[r][p]) > fabs(M[best][p]) ? r : best;
		}
		for (int c = 0; c < 5; c++) {
			const double swap = M[p][c];
			M[p][c] = M[best][c];
			M[best][c] = swap;
		}
		if (fabs(M[p][p]) < 1e-9) {
			return false;
		}
		for (int r = 0; r < 4; r++) {
			const double factor = r == p ? 0.0 : M[r][p] / M[p][p];
			for (int c = 0; c < 5; c++) {
				M[r][c] -= factor * M[p][c];
			}
		}
	}
	for (int i = 0; i < 4; i++) {
		x[i] = M[i][4] / M[i][i];
	}
	return true;
}

/* Solves the linear program by visiting every vertex: all choices of four rows. */
static double lp_brute_force(double rows[][5], int n)
{
	double least = INFINITY;
	int c[4];
	for (c[0] = 0; c[0] < n; c[0]++) {
		for (c[1] = c[0] + 1; c[1] < n; c[1]++) {
			for (c[2] = c[1] + 1; c[2] < n; c[2]++) {
				for (c[3] = c[2] + 1; c[3] < n; c[3]++) {
					double x[4];
					if (!lp_vertex(rows, c, x) || x[3] >= least) {
						continue;
					}
					bool feasible = x[3] >= -1e-12;
					for (int r = 0; feasible && r < n; r++) {
						feasible =
						    abut_dot3(rows[r], x) + rows[r][3] * x[3] - rows[r][4] <= 1e-10;
					}
					least = feasible ? x[3] : least;
				}
			}
		}
	}
	return least;
}

Test(collide, polytopes_by_brute_force)
{
	static const AbutShapeKind kinds[] = {ABUT_SHAPE_BOX, ABUT_SHAPE_POLYTOPE};
	for (unsigned seed = 0; seed < 48; seed++) {
		AbutRng rng = {seed};
		double rows[64][5];
		CollidePair pair;
		AbutShape *a = sample_shape(kinds[seed % 2], 1.0, &rng),
		          *b = sample_shape(kinds[seed / 2 % 2], 0.7, &rng);
		pair_place(&pair, a, b, sample_log_uniform(&rng, 0.3, 4.0), &rng);
		cr_assert_leq(a->n_rows + b->n_rows, 64);
		const int n = lp_rows(&pair, rows);
		const AbutCollisionResult result = pair_solve(&pair, 0.0);
		const double expected = lp_brute_force(rows, n);
		cr_assert_float_eq(result.scaling, expected, 1e-9 * fmax(1.0, expected), "%s, seed %u: %.12g of %.12g",
		                   pair_name(&pair), seed, result.scaling, expected);
		pair_free(&pair);
	}
}

Test(collide, allocates_nothing_in_a_query)
{
	for (unsigned seed = 0; seed < BOUNDED_KINDS * BOUNDED_KINDS; seed++) {
		CollidePair pair;
		AbutCollisionGradient gradient;
		pair_sample(seed, 1.1, &pair);
		watch_begin(0);
		pair_solve(&pair, 0.0);
		pair_solve(&pair, 1e-6);
		cr_assert_eq(abut_collision_gradient(pair.collision, &gradient, NULL), ABUT_OK);
		watch_end();
		cr_assert_eq(watch.calls, 0, "%s: %ld allocations", pair_name(&pair), watch.calls);
		pair_free(&pair);
	}
}

/* Each failing allocation of a pair's set-up is reported and leaves no memory behind. */
Test(collide, runs_out_of_memory)
{
	for (unsigned seed = 0; seed < BOUNDED_KINDS * BOUNDED_KINDS; seed++) {
		CollidePair pair;
		AbutCollision *collision = NULL;
		AbutStatus status = ABUT_ERROR_MEMORY;
		pair_sample(seed, 1.0, &pair);
		for (long fail_at = 1; status == ABUT_ERROR_MEMORY; fail_at++) {
			watch_begin(fail_at);
			status = abut_collision_create(pair.shape[0], pair.shape[1], &collision, NULL);
			watch_end();
			cr_assert(status == ABUT_OK || (status == ABUT_ERROR_MEMORY && !collision && watch.live == 0),
			          "%s, allocation %ld: %s, %ld blocks left", pair_name(&pair), fail_at,
			          abut_status_name(status), watch.live);
		}
		abut_collision_destroy(collision);
		pair_free(&pair);
	}
}

/* A query does not need the shapes from which it was made. */
Test(collide, outlives_its_shapes)
{
	for (unsigned seed = 0; seed < BOUNDED_KINDS * BOUNDED_KINDS; seed++) {
		CollidePair pair;
		pair_sample(seed, 1.0, &pair);
		abut_collision_forget(pair.collision);
		const AbutCollisionResult kept = pair_solve(&pair, 1e-6);
		AbutShape *lent[2];
		AbutCollision *collision;
		AbutCollisionResult result;
		for (int i = 0; i < 2; i++) {
			cr_assert_eq(abut_shape_clone(pair.shape[i], &lent[i], NULL), ABUT_OK);
		}
		cr_assert_eq(abut_collision_create(lent[0], lent[1], &collision, NULL), ABUT_OK);
		for (int i = 0; i < 2; i++) {
			memset(lent[i]->rotation, 0, sizeof lent[i]->rotation);
			abut_shape_destroy(lent[i]);
		}
		cr_assert_eq(abut_collision_solve(collision, &pair.pose[0], &pair.pose[1], 1e-6, &result, NULL),
		             ABUT_OK);
		cr_assert_eq(result.scaling, kept.scaling, "%s, seed %u", pair_name(&pair), seed);
		cr_assert_eq(result.iterations, kept.iterations, "%s, seed %u", pair_name(&pair), seed);
		abut_collision_destroy(collision);
		pair_free(&pair);
	}
}

Test(collide, all_of_a_list)
{
	enum { N = 20 };
	CollidePair pairs[N];
	AbutCollision *collisions[N];
	AbutPose a[N], b[N];
	AbutCollisionResult results[N];
	for (unsigned i = 0; i < N; i++) {
		pair_sample(i, 1.0, &pairs[i]);
		collisions[i] = pairs[i].collision;
		a[i] = pairs[i].pose[0];
		b[i] = pairs[i].pose[1];
	}
	cr_assert_eq(abut_collision_solve_all(N, collisions, a, b, 0.0, results, NULL), ABUT_OK);
	for (int i = 0; i < N; i++) {
		abut_collision_forget(pairs[i].collision);
		cr_assert_eq(results[i].scaling, pair_solve(&pairs[i], 0.0).scaling, "pair %d", i);
		pair_free(&pairs[i]);
	}
}

Test(collide, refusals)
{
	CollidePair pair;
	AbutCollisionResult result;
	AbutCollision *none;
	AbutCollisionGradient gradient;
	AbutError error = {0};
	AbutRng rng = {1};
	AbutShape *plane = sample_shape(ABUT_SHAPE_HALFSPACE, 1.0, &rng);
	pair_sample(0, 1.0, &pair);
	AbutPose bad = pair.pose[0];
	cr_assert_eq(abut_collision_create(plane, plane, &none, &error), ABUT_ERROR_ARGUMENT);
	cr_assert_null(none);
	cr_assert(strstr(error.message, "halfspaces"), "%s", error.message);
	bad.position[1] = NAN;
	cr_assert_eq(abut_collision_solve(pair.collision, &bad, &pair.pose[1], 0.0, &result, &error),
	             ABUT_ERROR_ARGUMENT);
	cr_assert(strstr(error.message, "position[1] is nan"), "%s", error.message);
	bad = pair.pose[1];
	bad.orientation[0] += 0.1;
	cr_assert_eq(abut_collision_solve(pair.collision, &pair.pose[0], &bad, 0.0, &result, &error),
	             ABUT_ERROR_ARGUMENT);
	cr_assert(strstr(error.message, "length"), "%s", error.message);
	static const double kappas[] = {-1.0, 1e-13, 0.5, NAN};
	for (int i = 0; i < 4; i++) {
		cr_assert_eq(
		    abut_collision_solve(pair.collision, &pair.pose[0], &pair.pose[1], kappas[i], &result, &error),
		    ABUT_ERROR_ARGUMENT, "kappa %g", kappas[i]);
	}
	pair_solve(&pair, 0.0);
	cr_assert_eq(abut_collision_gradient(pair.collision, &gradient, &error), ABUT_ERROR_UNSUPPORTED);
	pair_solve(&pair, 1e-6);
	bad = pair.pose[0];
	bad.position[2] = 2e9;
	cr_assert_eq(abut_collision_solve(pair.collision, &bad, &pair.pose[1], 1e-6, &result, &error),
	             ABUT_ERROR_ARGUMENT);
	cr_assert_eq(abut_collision_gradient(pair.collision, &gradient, &error), ABUT_ERROR_UNSUPPORTED,
	             "of the query before the refused one");
	const AbutPose poses[2][2] = {{pair.pose[0], bad}, {pair.pose[1], pair.pose[1]}};
	AbutCollision *const both[2] = {pair.collision, pair.collision};
	AbutCollisionResult results[2];
	cr_assert_eq(abut_collision_solve_all(2, both, poses[0], poses[1], 0.0, results, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "poses_a[1]");
	cr_expect(results[0].outcome == ABUT_OUTCOME_EXACT && results[1].outcome == ABUT_OUTCOME_FAILED);
	abut_collision_forget(NULL);
	abut_shape_destroy(plane);
	pair_free(&pair);
}
