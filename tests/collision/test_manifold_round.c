/* Contact manifolds of all kinds of shapes: random pairs against support functions, themselves swapped and moved, and
 * differences; and closed forms. */
#include "manifold_pair.h"
#include "sample_shapes.h"

enum { KINDS = ABUT_SHAPE_COUNT };

/* Shapes of both kinds, turned at random, `apart` times the sum of how far they reach towards each other. */
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

/* Bounded or not, but not both halfspaces; pairs that differ from seed to seed. */
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

/* How far p is outside of side s in some directions, n among them. */
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

/* The separation is that of its normal. Of the nearest points of bounded shapes apart no direction separates more. */
Test(manifold_round, separates_along_its_normal)
{
	int nearest = 0;
	for (int seed = 0; seed < 4 * KINDS * KINDS; seed++) {
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
	cr_assert_gt(nearest, 200);
}

/* Half its gap along the normal from a point lies either shape, and no point counts more than the planes that touch
 * both are apart. */
Test(manifold_round, points_are_on_both_shapes)
{
	int points = 0;
	for (int seed = 0; seed < 4 * KINDS * KINDS; seed++) {
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
		cr_assert(m.n > 0 || separation > 0.0, "seed %d, %d and %d: no point at %g", seed, kinds[0], kinds[1],
		          separation);
		end(&f);
	}
	cr_assert_gt(points, 250);
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
		double turn[4], T[9], q[4];
		const double way[3] = {0.3, -0.2, 0.5};
		abut_rng_rotation(&rng, turn);
		abut_quat_to_mat3(turn, T);
		for (int s = 0; s < 2; s++) {
			abut_mat3_vec(T, f.side[s].x, f.side[s].x);
			for (int k = 0; k < 3; k++) {
				f.side[s].x[k] += way[k];
			}
			abut_quat_mul(turn, f.q[s], q);
			memcpy(f.q[s], q, sizeof q);
		}
		place(&f);
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

/* How a difference and a derivative compare, of the largest entry. */
static double worst(const double *derivative, const double *difference, int n)
{
	double most = 0.0;
	for (int i = 0; i < n; i++) {
		most = fmax(most, fabs(derivative[i] - difference[i]) / (1.0 + fabs(difference[i])));
	}
	return most;
}

/* Point, normal and gap of a feature, one after the other. False where it is not among the points. */
static bool read(const Fixture *f, double margin, uint64_t feature, double out[7])
{
	AbutManifold m;
	abut_manifold_make(f->side, margin, &m);
	const AbutManifoldPoint *p = find_feature(&m, feature);
	if (!p) {
		return false;
	}
	abut_copy3(p->point, out);
	abut_copy3(m.normal, out + 3);
	out[6] = p->gap;
	return true;
}

/* Central differences of four points, whose error is of fourth order. */
static bool difference(const Fixture *f, double margin, uint64_t feature, int column, double step, double out[7])
{
	static const double weights[4] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0}, places[4] = {-2, -1, 1, 2};
	for (int i = 0; i < 7; i++) {
		out[i] = 0.0;
	}
	for (int k = 0; k < 4; k++) {
		Fixture moved = *f;
		double at[7];
		nudge(&moved, column, places[k] * step);
		if (!read(&moved, margin, feature, at)) {
			return false;
		}
		for (int i = 0; i < 7; i++) {
			out[i] += weights[k] * at[i] / step;
		}
	}
	return true;
}

typedef struct Tally {
	int checked, lost, refused;
	double worst;
} Tally;

/* All points of the manifold as it is. */
static void check_gradient(const Fixture *f, double margin, double bound, int seed, Tally *tally)
{
	AbutManifold m;
	abut_manifold_make(f->side, margin, &m);
	for (int i = 0; i < m.n; i++) {
		AbutManifoldGradient g;
		if (!abut_manifold_gradient(f->side, &m, i, &g)) {
			tally->refused++;
			continue;
		}
		for (int c = 0; c < ABUT_MANIFOLD_COLUMNS; c++) {
			const double own[7] = {g.point[0][c],  g.point[1][c],  g.point[2][c], g.normal[0][c],
			                       g.normal[1][c], g.normal[2][c], g.gap[c]};
			double of[7];
			if (!difference(f, margin, m.points[i].feature, c, 1e-4, of)) {
				tally->lost++;
				continue;
			}
			const double error = worst(own, of, 7);
			tally->worst = fmax(tally->worst, error);
			cr_assert_leq(error, bound, "seed %d, kinds %d and %d, rule %d, point %d, column %d: off by %g",
			              seed, (int)f->shape[0]->kind, (int)f->shape[1]->kind, (int)m.points[i].rule, i, c,
			              error);
			tally->checked++;
		}
	}
}

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

/* --- closed forms --- */

/* Two shapes, taken over, at places and turns of one's own. */
static void begin_at(Fixture *f, AbutShape *first, AbutShape *second)
{
	const double none[3] = {0.0, 0.0, 0.0};
	AbutShape *const shapes[2] = {first, second};
	for (int s = 0; s < 2; s++) {
		AbutError error;
		f->shape[s] = shapes[s];
		cr_assert_eq(abut_manifold_shape_create(shapes[s], none, 1.0, &f->own[s], &error), ABUT_OK, "%s",
		             error.message);
		f->side[s].shape = &f->own[s];
		f->q[s][0] = 1.0;
		for (int i = 0; i < 3; i++) {
			f->q[s][1 + i] = f->side[s].x[i] = 0.0;
		}
	}
	place(f);
}

static void turn(Fixture *f, int s, int axis, double angle)
{
	nudge(f, 6 * s + 3 + axis, angle);
}

static AbutShape *box_of(double x, double y, double z)
{
	AbutShape *shape = NULL;
	cr_assert_eq(abut_shape_create_box((const double[]){x, y, z}, &shape, NULL), ABUT_OK);
	return shape;
}

static AbutShape *capsule_of(double radius, double length)
{
	AbutShape *shape = NULL;
	cr_assert_eq(abut_shape_create_capsule(radius, length, &shape, NULL), ABUT_OK);
	return shape;
}

static AbutShape *cylinder_of(double radius, double length)
{
	AbutShape *shape = NULL;
	cr_assert_eq(abut_shape_create_cylinder(radius, length, &shape, NULL), ABUT_OK);
	return shape;
}

static const double pi = 3.14159265358979323846;

static void expect_point(const AbutManifold *m, double x, double y, double z, double gap, double slack)
{
	double least = INFINITY, best = INFINITY;
	for (int i = 0; i < m->n; i++) {
		const double *p = m->points[i].point, d[3] = {p[0] - x, p[1] - y, p[2] - z};
		if (abut_norm3(d) < least) {
			least = abut_norm3(d);
			best = m->points[i].gap;
		}
	}
	cr_assert(least <= slack && fabs(best - gap) <= slack, "nearest to %g, %g, %g of gap %g: %g off, gap %g", x, y,
	          z, gap, least, best);
}

/* A capsule and a cylinder across a box, beyond it on one side: two points, at its border and at the end. */
Test(manifold_round, tubes_on_a_box_are_clipped)
{
	for (int kind = 0; kind < 2; kind++) {
		Fixture f;
		AbutManifold m;
		begin_at(&f, box_of(0.5, 0.4, 0.3), kind ? cylinder_of(0.2, 0.6) : capsule_of(0.2, 0.6));
		turn(&f, 1, 1, 0.5 * pi);
		f.side[1].x[0] = 0.4;
		f.side[1].x[1] = 0.1;
		f.side[1].x[2] = 0.499;
		abut_manifold_make(f.side, 0.01, &m);
		cr_assert_eq(m.n, 2, "kind %d: %d points", kind, m.n);
		cr_assert_float_eq(m.normal[2], 1.0, 1e-12);
		expect_point(&m, 0.1, 0.1, 0.2995, -0.001, 1e-12);
		expect_point(&m, 0.5, 0.1, 0.2995, -0.001, 1e-12);
		end(&f);
	}
}

/* A cylinder and a cone that stand on a box, all on it: four points on their rims, a quarter turn from each other; half
 * of them over its border: the ends of what lies on the border, and the rim's furthest from it. */
Test(manifold_round, flat_ends_have_four_points)
{
	for (int kind = 0; kind < 2; kind++) {
		AbutShape *cone = NULL;
		Fixture f;
		AbutManifold m;
		cr_assert_eq(abut_shape_create_cone(0.8, 0.2, &cone, NULL), ABUT_OK);
		AbutShape *cylinder = cylinder_of(0.2, 0.4);
		begin_at(&f, box_of(0.5, 0.4, 0.3), kind ? cone : cylinder);
		abut_shape_destroy(kind ? cylinder : cone);
		f.side[1].x[0] = 0.1;
		f.side[1].x[2] = 0.501;
		abut_manifold_make(f.side, 0.01, &m);
		cr_assert_eq(m.n, 4);
		for (int i = 0; i < 4; i++) {
			expect_point(&m, 0.1 + 0.2 * cos(0.5 * pi * i), 0.2 * sin(0.5 * pi * i), 0.3005, 0.001, 1e-12);
		}
		f.side[1].x[0] = 0.5;
		abut_manifold_make(f.side, 0.01, &m);
		expect_point(&m, 0.3, 0.0, 0.3005, 0.001, 1e-9);
		expect_point(&m, 0.5, 0.2, 0.3005, 0.001, 1e-9);
		expect_point(&m, 0.5, -0.2, 0.3005, 0.001, 1e-9);
		end(&f);
	}
}

/* A cone on its side, on a plane: apex and rim. */
Test(manifold_round, a_cone_lies_on_a_line)
{
	const double height = 0.8, radius = 0.3, lean = atan2(radius, height);
	AbutShape *cone = NULL, *plane = NULL;
	Fixture f;
	AbutManifold m;
	cr_assert_eq(abut_shape_create_cone(height, radius, &cone, NULL), ABUT_OK);
	cr_assert_eq(abut_shape_create_halfspace((const double[]){0.0, 0.0, 1.0}, 0.0, &plane, NULL), ABUT_OK);
	begin_at(&f, plane, cone);
	turn(&f, 1, 1, 0.5 * pi + lean);
	f.side[1].x[2] = 0.75 * height * sin(lean) + 0.002;
	abut_manifold_make(f.side, 0.01, &m);
	cr_assert_eq(m.n, 2);
	const double apex = 0.75 * height * cos(lean);
	expect_point(&m, apex, 0.0, 0.001, 0.002, 1e-12);
	expect_point(&m, apex - hypot(height, radius), 0.0, 0.001, 0.002, 1e-12);
	end(&f);
}

/* Capsules: crosswise one point at their distance; side by side two, at the ends of what they share. */
Test(manifold_round, two_capsules)
{
	Fixture f;
	AbutManifold m;
	begin_at(&f, capsule_of(0.2, 1.0), capsule_of(0.3, 0.8));
	turn(&f, 1, 0, 1.1);
	f.side[1].x[0] = 0.51;
	f.side[1].x[2] = 0.2;
	abut_manifold_make(f.side, 0.05, &m);
	cr_assert_eq(m.n, 1);
	expect_point(&m, 0.205, 0.0, 0.2, 0.01, 1e-10);
	turn(&f, 1, 0, -1.1);
	f.side[1].x[2] = 0.3;
	abut_manifold_make(f.side, 0.05, &m);
	cr_assert_eq(m.n, 2);
	cr_assert_float_eq(m.normal[0], 1.0, 1e-12);
	expect_point(&m, 0.205, 0.0, -0.1, 0.01, 1e-12);
	expect_point(&m, 0.205, 0.0, 0.5, 0.01, 1e-12);
	Tally tally = {0};
	turn(&f, 1, 0, 0.004); /* not where two ends change places */
	check_gradient(&f, 0.05, 1e-6, 0, &tally);
	cr_assert_eq(tally.checked, 2 * ABUT_MANIFOLD_COLUMNS);
	end(&f);
}

/* A ball beside a cylinder: at its side, its end, its rim. */
Test(manifold_round, a_ball_beside_a_cylinder)
{
	AbutShape *ball = NULL;
	Fixture f;
	AbutManifold m;
	cr_assert_eq(abut_shape_create_sphere(0.25, &ball, NULL), ABUT_OK);
	begin_at(&f, cylinder_of(0.5, 1.0), ball);
	f.side[1].x[0] = 0.76;
	f.side[1].x[2] = 0.2;
	abut_manifold_make(f.side, 0.05, &m);
	cr_assert_eq(m.n, 1);
	expect_point(&m, 0.505, 0.0, 0.2, 0.01, 1e-10);
	f.side[1].x[0] = 0.3;
	f.side[1].x[2] = 0.76;
	abut_manifold_make(f.side, 0.05, &m);
	cr_assert_eq(m.n, 1);
	expect_point(&m, 0.3, 0.0, 0.505, 0.01, 1e-10);
	f.side[1].x[0] = 0.5 + 0.6 * 0.26;
	f.side[1].x[2] = 0.5 + 0.8 * 0.26;
	abut_manifold_make(f.side, 0.05, &m);
	cr_assert_eq(m.n, 1);
	expect_point(&m, 0.5 + 0.6 * 0.005, 0.0, 0.5 + 0.8 * 0.005, 0.01, 1e-10);
	end(&f);
}

/* --- features --- */

/* What slides, turns and tilts a little keeps its points. */
Test(manifold_round, features_stay_while_the_shapes_move)
{
	AbutShape *cone = NULL, *ellipsoid = NULL;
	cr_assert_eq(abut_shape_create_cone(0.8, 0.2, &cone, NULL), ABUT_OK);
	cr_assert_eq(abut_shape_create_ellipsoid((const double[]){0.3, 0.25, 0.2}, &ellipsoid, NULL), ABUT_OK);
	AbutShape *const shapes[] = {capsule_of(0.2, 0.6), cylinder_of(0.2, 0.6), cylinder_of(0.2, 0.4), cone,
	                             ellipsoid};
	const double turns[] = {0.5, 0.5, 0.0, 0.0, 0.0};
	const int expected[] = {2, 2, 4, 4, 1};
	for (int k = 0; k < 5; k++) {
		Fixture f;
		AbutManifold first, now;
		AbutRng rng = {(uint64_t)k};
		begin_at(&f, box_of(0.7, 0.6, 0.3), shapes[k]);
		turn(&f, 1, 0, turns[k] * pi);
		f.side[1].x[2] = 0.4999;
		abut_manifold_make(f.side, 0.01, &first);
		cr_assert_eq(first.n, expected[k], "shape %d: %d points", k, first.n);
		for (int step = 0; step < 300; step++) {
			const int column = (int)(abut_rng_uniform(&rng, 0.0, 12.0)) % 12;
			nudge(&f, column, abut_rng_uniform(&rng, -2e-5, 2e-5));
			nudge(&f, 6 + step % 2, 2e-4);
			abut_manifold_make(f.side, 0.01, &now);
			cr_assert_eq(now.n, first.n, "shape %d, step %d: %d points", k, step, now.n);
			for (int i = 0; i < first.n; i++) {
				cr_assert(find_feature(&now, first.points[i].feature),
				          "shape %d, step %d: point %d is gone", k, step, i);
			}
		}
		end(&f);
	}
}
