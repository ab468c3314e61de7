/* Exact queries of two shapes through the public interface: certificates, closed forms, and what a pose may be. */
#include "allocation_watch.h"
#include "collide_pair.h"
#include "shapes/by_size.h"

static double sampled_distance(unsigned seed)
{
	AbutRng rng = {seed + 77777};
	return sample_log_uniform(&rng, 0.05, 5.0);
}

/* For any n, alpha >= n.D / (h_a(n) + h_b(-n)) with equality at the optimum; and the point lies in both shapes scaled:
 * no direction separates it from either, nor the normal. The gap is along the normal. */
static void check_certificate(const CollidePair *pair, const AbutCollisionResult *r, const char *start, unsigned seed)
{
	const double size = pair->shape[0]->outer_radius + pair->shape[1]->outer_radius;
	double centre[2][3], back[3], apart[3];
	cr_assert_eq(r->outcome, ABUT_OUTCOME_EXACT, "%s, seed %u, %s: not exact, error %g", pair_name(pair), seed,
	             start, r->error);
	for (int i = 0; i < 2; i++) {
		pair_centre(pair, i, centre[i]);
	}
	for (int j = 0; j < 3; j++) {
		apart[j] = centre[1][j] - centre[0][j];
		back[j] = -r->normal[j];
	}
	const double reach = pair_reach(pair, 0, r->normal) + pair_reach(pair, 1, back);
	const double bound = abut_dot3(r->normal, apart) / reach;
	cr_assert_float_eq(abut_norm3(r->normal), 1.0, 1e-12, "%s, seed %u, %s", pair_name(pair), seed, start);
	cr_assert_float_eq(r->scaling, bound, 1e-10 * fmax(1.0, bound), "%s, seed %u, %s: %.15g, certified %.15g",
	                   pair_name(pair), seed, start, r->scaling, bound);
	cr_assert_float_eq(r->gap, (r->scaling - 1.0) * reach, 1e-9 * size * fmax(1.0, r->scaling), "%s, seed %u, %s",
	                   pair_name(pair), seed, start);
	AbutRng rng = {seed};
	for (int k = 0; k < 50; k++) {
		for (int i = 0; i < 2; i++) {
			double n[3], from[3];
			sample_unit(3, &rng, n);
			for (int j = 0; j < 3; j++) {
				n[j] = k == 0 ? (i == 0 ? r->normal[j] : back[j]) : n[j];
				from[j] = r->point[j] - centre[i][j];
			}
			const double excess = abut_dot3(n, from) - r->scaling * pair_reach(pair, i, n);
			cr_assert_leq(excess, 1e-9 * size * fmax(1.0, r->scaling),
			              "%s, seed %u, %s: point %g outside shape %d", pair_name(pair), seed, start,
			              excess, i);
		}
	}
}

/* From cold, and from the answer to a place nearby. */
Test(collide, is_certified_for_all_pairs)
{
	for (unsigned seed = 0; seed < 2560; seed++) {
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
	for (unsigned seed = 0; seed < 1536; seed++) {
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

/* alpha = distance / (R1 + R2), the point divides the line as the radii do. */
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

/* Distance of two segments of half lengths p, q about c, d along u, v: by golden section over one parameter, the other
 * in closed form. */
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

/* The height of the centre over the reach downwards, 0 below the plane; the gap is the lowest point's height, and the
 * normal goes from the shape into the plane, or out of it. */
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

/* The rows a.x + b alpha <= c of both polytopes in (x, alpha), world. */
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

/* Solves the four rows chosen as equations, by elimination with pivoting. */
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

/* Every vertex of the linear program: all choices of four rows. */
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

/* --- starts and poses --- */

/* A start from the last solution changes nothing but the work. */
Test(collide, warm_is_cold)
{
	for (unsigned seed = 0; seed < 256; seed++) {
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

/* What holds of any result: the normal is a unit vector, the gap is what separates the shapes along it, and the scaling
 * is neither below the bound that the normal gives nor above the exact one by more than it says. */
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

/* From centres that coincide to the far ends of a large scene, exactly and on the path. */
Test(collide, at_any_distance)
{
	static const double distances[] = {0.0,  1e-18, 1e-15, 1e-12, 1e-9, 1e-7, 1e-5, 1e-4,
	                                   1e-3, 1e-1,  10.0,  1e3,   1e4,  1e5,  1e6,  1e7};
	for (size_t d = 0; d < sizeof distances / sizeof *distances; d++) {
		for (unsigned seed = 0; seed < 2 * BOUNDED_KINDS * BOUNDED_KINDS; seed++) {
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

/* Sizes of 1 to 10,000, and bodies of a hair's breadth. */
Test(collide, of_very_different_sizes_and_of_thin_shapes)
{
	for (unsigned seed = 0; seed < 1024; seed++) {
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

/* Every size of its own, from a ten thousandth to one: needles, plates, discs, near to centred and far apart. */
Test(collide, of_needles_and_plates)
{
	for (unsigned seed = 0; seed < 2048; seed++) {
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

/* Of one to a hundred thousand: thin enough for rounding to keep the portal's bounds apart in one of a thousand, which
 * the conic problem's finish then proves. */
Test(collide, of_boxes_of_a_hair)
{
	for (unsigned seed = 0; seed < 3000; seed++) {
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

/* Two boxes of the same orientation, of hair to plate; where `turned` hulls, whose faces lie across their axes. */
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

/* The largest |D| over both half extents, along the axes of the boxes. */
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

/* As two cards of a house. */
Test(collide, relaxed_of_boxes_face_to_face)
{
	static const double kappas[] = {1e-8, 1e-7, 1e-6, 1e-4};
	for (unsigned seed = 0; seed < 2000; seed++) {
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

/* Where rounding ends the path: never nothing. */
Test(collide, face_to_face_is_exact_where_the_path_ends)
{
	static const double kappas[] = {1e-10, 1e-9, 1e-8};
	int ended = 0;
	for (unsigned seed = 0; seed < 1500; seed++) {
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

/* Each allocation of a pair's set-up that fails is reported, and nothing stays behind. */
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
