/* Tests the separating hyperplane of the single-level paper, Appendix A. The plane through the contact point across the
 * normal has each scaled shape on its own side; at scaling 1 the shapes themselves. Checks supports along the normal,
 * and boundary points in random directions. */
#include "collide_pair.h"

enum { POINTS = 100 };

/* Computes a point of shape i's boundary, scaled about its centre, world. */
static void boundary_point(const CollidePair *pair, int i, double scaling, AbutRng *rng, double out[3])
{
	double u[3], x[3], R[9], centre[3];
	sample_unit(3, rng, u);
	abut_shape_support(pair->shape[i], u, x);
	for (int j = 0; j < 3; j++) {
		x[j] -= pair->shape[i]->centre[j];
	}
	pose_matrix(&pair->pose[i], R);
	abut_mat3_vec(R, x, out);
	pair_centre(pair, i, centre);
	for (int j = 0; j < 3; j++) {
		out[j] = centre[j] + scaling * out[j];
	}
}

/* Returns how far the scaled shape i extends beyond the plane; b is on the positive side. */
static double beyond(const CollidePair *pair, int i, const AbutCollisionResult *r)
{
	const double sign = i == 0 ? 1.0 : -1.0, n[3] = {sign * r->normal[0], sign * r->normal[1], sign * r->normal[2]};
	double centre[3];
	pair_centre(pair, i, centre);
	return abut_dot3(n, centre) + r->scaling * pair_reach(pair, i, n) - abut_dot3(n, r->point);
}

static void check_plane(const CollidePair *pair, const AbutCollisionResult *r, unsigned seed)
{
	const double size = pair->shape[0]->outer_radius + pair->shape[1]->outer_radius;
	const double rounding = 1e-9 * size * fmax(1.0, r->scaling);
	AbutRng rng = {seed + 4711};
	for (int i = 0; i < 2; i++) {
		if (pair->shape[i]->kind == ABUT_SHAPE_HALFSPACE) {
			continue;
		}
		const double sign = i == 0 ? 1.0 : -1.0;
		cr_assert_float_eq(beyond(pair, i, r), 0.0, rounding, "%s, seed %u: shape %d is %g beyond the plane",
		                   pair_name(pair), seed, i, beyond(pair, i, r));
		for (int k = 0; k < POINTS; k++) {
			double x[3];
			boundary_point(pair, i, r->scaling, &rng, x);
			for (int j = 0; j < 3; j++) {
				x[j] -= r->point[j];
			}
			cr_assert_leq(sign * abut_dot3(r->normal, x), rounding, "%s, seed %u: shape %d, point %d",
			              pair_name(pair), seed, i, k);
		}
	}
}

/* Moves b's centre to `share` of its distance from a's. */
static void move_nearer(CollidePair *pair, double share)
{
	double a[3], b[3];
	pair_centre(pair, 0, a);
	pair_centre(pair, 1, b);
	for (int j = 0; j < 3; j++) {
		pair->pose[1].position[j] += (share - 1.0) * (b[j] - a[j]);
	}
}

Test(hyperplane, separates_scaled_shapes_and_at_contact_the_shapes_themselves)
{
	for (unsigned seed = 0; seed < 1280; seed++) {
		CollidePair pair;
		AbutRng rng = {seed};
		pair_sample(seed, sample_log_uniform(&rng, 0.3, 5.0), &pair);
		const AbutCollisionResult r = pair_solve(&pair, 0.0);
		cr_assert_eq(r.outcome, ABUT_OUTCOME_EXACT, "%s, seed %u", pair_name(&pair), seed);
		check_plane(&pair, &r, seed);
		/* Scaling is proportional to the distance of the centres, and the normal stays the same. */
		move_nearer(&pair, 1.0 / r.scaling);
		AbutCollisionResult touching = pair_solve(&pair, 0.0);
		cr_assert_float_eq(touching.scaling, 1.0, 1e-10, "%s, seed %u: %.12g", pair_name(&pair), seed,
		                   touching.scaling);
		cr_assert_geq(abut_dot3(touching.normal, r.normal), 1.0 - 1e-12, "%s, seed %u", pair_name(&pair), seed);
		touching.scaling = 1.0;
		check_plane(&pair, &touching, seed);
		/* and from that answer on, sideways */
		for (int k = 0; k < 6; k++) {
			const double step = sample_log_uniform(&rng, 1e-4, 1e-1);
			for (int j = 0; j < 3; j++) {
				pair.pose[1].position[j] += step * abut_rng_normal(&rng);
			}
			const AbutCollisionResult warm = pair_solve(&pair, 0.0);
			check_plane(&pair, &warm, seed);
		}
		pair_free(&pair);
	}
}

Test(hyperplane, beside_a_halfspace_is_its_plane)
{
	for (unsigned seed = 0; seed < 160; seed++) {
		AbutRng rng = {seed};
		AbutShape *shape = sample_shape((AbutShapeKind)(1 + seed % BOUNDED_KINDS), 1.0, &rng);
		AbutShape *plane = sample_shape(ABUT_SHAPE_HALFSPACE, 1.0, &rng);
		CollidePair pair;
		double centre[3], n[3], R[9];
		pair_place(&pair, shape, plane, 2.0 * shape->outer_radius, &rng);
		/* above the plane, which goes through its own position */
		pose_matrix(&pair.pose[1], R);
		pair_centre(&pair, 0, centre);
		for (int j = 0; j < 3; j++) {
			n[j] = R[3 * j + 2];
			pair.pose[1].position[j] = centre[j] - 1.5 * shape->outer_radius * n[j];
		}
		const AbutCollisionResult r = pair_solve(&pair, 0.0);
		check_plane(&pair, &r, seed);
		cr_assert_float_eq(abut_dot3(r.normal, n), -1.0, 1e-12, "%s, seed %u", pair_name(&pair), seed);
		cr_assert_float_eq(abut_dot3(n, r.point) - abut_dot3(n, pair.pose[1].position), 0.0, 1e-12,
		                   "%s, seed %u", pair_name(&pair), seed);
		pair_free(&pair);
	}
}
