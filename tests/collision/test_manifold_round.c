/* Tests contact manifolds of all kinds of shapes: random pairs by support functions, by swapping and moving them, and
 * by differences. */
#include "collision/manifold/manifold.h"
#include "collision/manifold/near.h"
#include "collision/manifold/shape.h"
#include "effort.h"
#include "manifold_differences.h"
#include "sample_shapes.h"

enum { KINDS = ABUT_SHAPE_COUNT };

/* Makes shapes of both kinds in random orientations, at `apart` times the sum of their extents towards each other. */
static void begin(Fixture *f, int first, int second, double apart, AbutRng *rng)
{
	const int kinds[2] = {first, second};
	const double none[3] = {0.0, 0.0, 0.0};
	double direction[3], length = 0.0;
	for (int s = 0; s < 2; s++) {
		AbutError error;
		f->shape[s] = sample_shape((AbutShapeKind)kinds[s], 0.5, rng);
		cr_assert_eq(abut_manifold_shape_create(f->shape[s], none, 1.0, &f->own[s], &error), ABUT_OK, "%s",
		             error.message);
		abut_rng_rotation(rng, f->q[s]);
		f->side[s].shape = &f->own[s];
	}
	place(f);
	do {
		for (int i = 0; i < 3; i++) {
			direction[i] = abut_rng_normal(rng);
		}
		length = abut_norm3(direction);
	} while (length < 0.1);
	for (int i = 0; i < 3; i++) {
		direction[i] /= length;
		f->side[0].x[i] = f->side[1].x[i] = 0.0;
	}
	for (int s = 0; s < 2; s++) {
		if (kinds[s] == ABUT_SHAPE_HALFSPACE) {
			const double sign = s == 0 ? 1.0 : -1.0;
			for (int i = 0; i < 3; i++) {
				direction[i] = sign * f->side[s].R[3 * i + 2];
			}
		}
	}
	const double gap = distance_along(f, direction);
	for (int i = 0; i < 3; i++) {
		f->side[1].x[i] = (apart - gap) * direction[i];
	}
}

/* Picks bounded or unbounded kinds, but not two halfspaces; pairs differ from seed to seed. */
static bool pick(int seed, int kinds[2])
{
	kinds[0] = seed % KINDS;
	kinds[1] = (seed / KINDS) % KINDS;
	return kinds[0] != ABUT_SHAPE_HALFSPACE || kinds[1] != ABUT_SHAPE_HALFSPACE;
}

static void random_direction(AbutRng *rng, double n[3])
{
	double length;
	for (int i = 0; i < 3; i++) {
		n[i] = abut_rng_normal(rng);
	}
	length = abut_norm3(n);
	for (int i = 0; i < 3; i++) {
		n[i] /= length;
	}
}

/* Returns how far p is outside of side s in some directions, n among them. */
static double outside(const Fixture *f, int s, const double p[3], const double n[3], AbutRng *rng)
{
	double most = abut_dot3(n, p) - support(f, s, n, 1.0);
	if (f->shape[s]->kind == ABUT_SHAPE_HALFSPACE) {
		return most;
	}
	for (int i = 0; i < 30; i++) {
		double u[3];
		random_direction(rng, u);
		most = fmax(most, abut_dot3(u, p) - support(f, s, u, 1.0));
	}
	return most;
}

/* The separation is that along its normal. For the nearest points of separate bounded shapes, no direction separates
 * more. */
Test(manifold_round, separates_along_its_normal)
{
	int nearest = 0;
	for (int seed = 0; seed < TEST_EFFORT(4 * KINDS * KINDS); seed++) {
		AbutRng rng = {(uint64_t)seed};
		Fixture f;
		int kinds[2];
		if (!pick(seed, kinds)) {
			continue;
		}
		begin(&f, kinds[0], kinds[1], abut_rng_uniform(&rng, -0.02, 0.05), &rng);
		double normal[3];
		const double separation = abut_manifold_separation(f.side, normal);
		cr_assert_float_eq(abut_norm3(normal), 1.0, 1e-12);
		cr_assert_float_eq(separation, distance_along(&f, normal), 1e-8,
		                   "seed %d, %d and %d: %g is not %g along its normal", seed, kinds[0], kinds[1],
		                   separation, distance_along(&f, normal));
		AbutManifold near = {.n = 0};
		if (kinds[0] != ABUT_SHAPE_HALFSPACE && kinds[1] != ABUT_SHAPE_HALFSPACE) {
			abut_manifold_near(f.side, &near);
			nearest += !near.points[0].rough;
		}
		for (int i = 0; i < 60 && near.n > 0 && !near.points[0].rough && near.points[0].gap > 0.0; i++) {
			double n[3];
			random_direction(&rng, n);
			const double share = i % 2 == 0 ? 1.0 : 0.02;
			for (int k = 0; k < 3; k++) {
				n[k] = near.normal[k] + share * (n[k] - near.normal[k]);
			}
			const double scale = 1.0 / abut_norm3(n);
			for (int k = 0; k < 3; k++) {
				n[k] *= scale;
			}
			cr_assert_leq(distance_along(&f, n), near.points[0].gap + 1e-9,
			              "seed %d, %d and %d: %g separates more than %g", seed, kinds[0], kinds[1],
			              distance_along(&f, n), near.points[0].gap);
		}
		end(&f);
	}
	cr_assert_gt(nearest, TEST_EFFORT(200));
}

/* Each shape is half the gap along the normal from each point. No point has a smaller gap than the distance of the two
 * touching planes. */
Test(manifold_round, points_are_on_both_shapes)
{
	int points = 0;
	for (int seed = 0; seed < TEST_EFFORT(4 * KINDS * KINDS); seed++) {
		AbutRng rng = {(uint64_t)seed};
		Fixture f;
		AbutManifold m;
		int kinds[2];
		if (!pick(seed, kinds)) {
			continue;
		}
		const double margin = 0.05, apart = abut_rng_uniform(&rng, -0.02, 0.04);
		begin(&f, kinds[0], kinds[1], apart, &rng);
		abut_manifold_make(f.side, margin, &m);
		double normal[3];
		const double separation = abut_manifold_separation(f.side, normal);
		for (int i = 0; i < m.n; i++, points++) {
			const AbutManifoldPoint *p = &m.points[i];
			cr_assert_leq(p->gap, margin + 1e-12, "seed %d", seed);
			cr_assert_geq(p->gap, distance_along(&f, m.normal) - 1e-8, "seed %d: %g below the planes' %g",
			              seed, p->gap, distance_along(&f, m.normal));
			for (int s = 0; s < 2; s++) {
				const double sign = s == 0 ? 1.0 : -1.0,
				             n[3] = {sign * m.normal[0], sign * m.normal[1], sign * m.normal[2]};
				double surface[3];
				for (int k = 0; k < 3; k++) {
					surface[k] = p->point[k] - 0.5 * p->gap * n[k];
				}
				/* the two sides' points of a rough one are not quite across from each other */
				const double slack = p->rough ? fabs(p->gap) + 1e-3 : 1e-8;
				cr_assert_leq(outside(&f, s, surface, n, &rng), slack,
				              "seed %d, %d and %d, point %d, rule %d: %g outside of side %d", seed,
				              kinds[0], kinds[1], i, (int)p->rule, outside(&f, s, surface, n, &rng), s);
			}
		}
		double least = INFINITY;
		for (int i = 0; i < m.n; i++) {
			least = fmin(least, m.points[i].gap);
		}
		const int flat = kinds[0] == ABUT_SHAPE_HALFSPACE ? 1 : kinds[1] == ABUT_SHAPE_HALFSPACE ? 0 : -1;
		/* corners of a rim represent it up to a tilt of 0.05 */
		cr_assert(flat < 0 || m.n == 0 || least <= separation + 3e-4 * f.own[flat].size,
		          "seed %d, %d and %d: the deepest point at %g, the shape at %g", seed, kinds[0], kinds[1],
		          least, separation);
		cr_assert(m.n > 0 || separation > 0.0, "seed %d, %d and %d: no point at %g", seed, kinds[0], kinds[1],
		          separation);
		end(&f);
	}
	cr_assert_gt(points, TEST_EFFORT(250));
}

Test(manifold_round, is_the_same_swapped_and_moved)
{
	int same_features = 0;
	for (int seed = 0; seed < 2 * KINDS * KINDS; seed++) {
		AbutRng rng = {(uint64_t)seed};
		Fixture f;
		AbutManifold m, swapped, moved;
		int kinds[2];
		if (!pick(seed, kinds)) {
			continue;
		}
		begin(&f, kinds[0], kinds[1], abut_rng_uniform(&rng, -0.02, 0.04), &rng);
		const AbutManifoldSide other[2] = {f.side[1], f.side[0]};
		abut_manifold_make(f.side, 0.05, &m);
		abut_manifold_make(other, 0.05, &swapped);
		cr_assert_eq(m.n, swapped.n, "seed %d, %d and %d: %d and %d points", seed, kinds[0], kinds[1], m.n,
		             swapped.n);
		double T[9];
		const double way[3] = {0.3, -0.2, 0.5};
		move_both(&f, &rng, way, T);
		abut_manifold_make(f.side, 0.05, &moved);
		cr_assert_eq(m.n, moved.n, "seed %d, %d and %d: %d and %d points", seed, kinds[0], kinds[1], m.n,
		             moved.n);
		for (int i = 0; i < m.n; i++) {
			const AbutManifoldPoint *p = &m.points[i];
			const double slack = p->rough ? 1e-4 : 1e-8;
			double at[3], least[2] = {INFINITY, INFINITY};
			abut_mat3_vec(T, p->point, at);
			for (int j = 0; j < m.n; j++) {
				const double *a = swapped.points[j].point, *b = moved.points[j].point;
				least[0] = fmin(
				    least[0], hypot(hypot(a[0] - p->point[0], a[1] - p->point[1]), a[2] - p->point[2]));
				least[1] = fmin(least[1], hypot(hypot(b[0] - at[0] - way[0], b[1] - at[1] - way[1]),
				                                b[2] - at[2] - way[2]));
				same_features += moved.points[j].feature == p->feature;
			}
			cr_assert_leq(least[0], slack, "seed %d, %d and %d, swapped: %g", seed, kinds[0], kinds[1],
			              least[0]);
			cr_assert_leq(least[1], slack, "seed %d, %d and %d, moved: %g", seed, kinds[0], kinds[1],
			              least[1]);
			cr_assert(find_feature(&moved, p->feature), "seed %d, %d and %d, point %d", seed, kinds[0],
			          kinds[1], i);
		}
		end(&f);
	}
	cr_assert_gt(same_features, 120);
}

/* --- the gradient --- */

Test(manifold_round, gradient_is_that_of_differences)
{
	Tally tally = {0};
	for (int seed = 0; seed < 4 * KINDS * KINDS; seed++) {
		AbutRng rng = {(uint64_t)seed};
		Fixture f;
		int kinds[2];
		if (!pick(seed, kinds)) {
			continue;
		}
		begin(&f, kinds[0], kinds[1], abut_rng_uniform(&rng, -0.02, 0.04), &rng);
		check_gradient(&f, 0.05, 1e-6, seed, &tally);
		end(&f);
	}
	cr_assert(tally.checked > 2000 && tally.lost < 40, "%d columns checked, %d features lost", tally.checked,
	          tally.lost);
	cr_assert_lt(tally.refused, 200, "%d points have no derivative", tally.refused);
}
