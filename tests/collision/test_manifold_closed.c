/* Compares contact manifolds of round shapes with closed forms, and tests that features stay the same. */
#include "collision/manifold/gradient.h"
#include "collision/manifold/manifold.h"
#include "collision/manifold/shape.h"
#include "manifold_differences.h"

/* Begins a pair of two shapes at given positions and orientations, and takes ownership of them. */
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

/* A capsule and a cylinder lie across a box and extend beyond it on one side. The two points are at its border and at
 * the end. */
Test(manifold_closed, tubes_on_a_box_are_clipped)
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

/* A cylinder and a cone stand on a box. With all of the rim on it, there are four points on the rim, a quarter turn
 * apart. With half of it over the border, the points are the ends of the common part of the border, and the furthest
 * points of the rim. */
Test(manifold_closed, flat_ends_have_four_points)
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

/* A cone lies on its side on a plane: the points are apex and rim. */
Test(manifold_closed, a_cone_lies_on_a_line)
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

/* Crossed capsules have one point at their distance; parallel ones have two, at the ends of their common part. */
Test(manifold_closed, two_capsules)
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

/* A ball is beside a cylinder: at its side, its end, its rim. */
Test(manifold_closed, a_ball_beside_a_cylinder)
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

/* Shapes that slide, rotate and tilt a little keep their points. */
Test(manifold_closed, features_stay_while_the_shapes_move)
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
