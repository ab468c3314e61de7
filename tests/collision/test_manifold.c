/* Tests contact manifolds by brute force, closed forms, swapping and moving the shapes, and comparing the gradient with
 * differences. */
#include "collision/growth/growth.h"
#include "collision/manifold/gradient.h"
#include "collision/manifold/manifold.h"
#include "collision/manifold/reduce.h"
#include "collision/manifold/shape.h"
#include "manifold_pair.h"

enum { KINDS = 4, VERTICES = 14 };

static AbutShape *make_shape(int kind, AbutRng *rng)
{
	AbutShape *shape = NULL;
	AbutError error;
	double half[3], points[3 * VERTICES];
	const double up[3] = {0.0, 0.0, 1.0};
	for (int i = 0; i < 3; i++) {
		half[i] = abut_rng_uniform(rng, 0.3, 0.7);
	}
	for (int i = 0; i < VERTICES; i++) {
		double *p = &points[3 * i], length;
		do {
			for (int k = 0; k < 3; k++) {
				p[k] = abut_rng_uniform(rng, -1.0, 1.0);
			}
			length = abut_norm3(p);
		} while (length > 1.0 || length < 0.1);
		for (int k = 0; k < 3; k++) {
			p[k] *= 0.7 / length;
		}
	}
	const AbutStatus status = kind == 0 ? abut_shape_create_box(half, &shape, &error)
	                          : kind == 1
	                              ? abut_shape_create_polytope_from_vertices(VERTICES, points, &shape, &error)
	                          : kind == 2 ? abut_shape_create_sphere(half[0], &shape, &error)
	                                      : abut_shape_create_halfspace(up, 0.1, &shape, &error);
	cr_assert_eq(status, ABUT_OK, "%s", error.message);
	return shape;
}

static void turn_about_z(double angle, double q[4])
{
	q[0] = cos(0.5 * angle);
	q[1] = q[2] = 0.0;
	q[3] = sin(0.5 * angle);
}

/* Makes two shapes in random orientations with their centres `apart`. Two halfspaces are not allowed. */
static void begin(Fixture *f, int first, int second, double apart, AbutRng *rng)
{
	const int kinds[2] = {first, second};
	double direction[3], length;
	const double none[3] = {0.0, 0.0, 0.0};
	for (int s = 0; s < 2; s++) {
		AbutError error;
		f->shape[s] = make_shape(kinds[s], rng);
		cr_assert_eq(abut_manifold_shape_create(f->shape[s], none, 1.0, &f->own[s], &error), ABUT_OK, "%s",
		             error.message);
		abut_rng_rotation(rng, f->q[s]);
		f->side[s].shape = &f->own[s];
	}
	for (int i = 0; i < 3; i++) {
		direction[i] = abut_rng_normal(rng);
	}
	length = abut_norm3(direction);
	for (int i = 0; i < 3; i++) {
		f->side[0].x[i] = abut_rng_uniform(rng, -1.0, 1.0);
		f->side[1].x[i] = f->side[0].x[i] + apart * direction[i] / length;
	}
	place(f);
	for (int s = 0; s < 2; s++) { /* the other one `apart` above the plane, more or less */
		if (kinds[s] == 3) {
			for (int i = 0; i < 3; i++) {
				f->side[1 - s].x[i] = f->side[s].x[i] + (0.1 + 0.6 * apart) * f->side[s].R[3 * i + 2];
			}
		}
	}
}

/* The separation is that along its normal. In overlap no direction separates more, and its sign is that of the growth
 * distance. */
Test(manifold, separates_most)
{
	int overlapping = 0, apart = 0;
	for (int seed = 0; seed < 600; seed++) {
		AbutRng rng = {(uint64_t)seed};
		Fixture f;
		begin(&f, seed % 3, (seed / 3) % 3, abut_rng_uniform(&rng, 0.1, 1.6), &rng);
		double normal[3];
		const double separation = abut_manifold_separation(f.side, normal);
		cr_assert_float_eq(abut_norm3(normal), 1.0, 1e-12);
		cr_assert_float_eq(separation, distance_along(&f, normal), 1e-10,
		                   "seed %d: %g is not %g along its normal", seed, separation,
		                   distance_along(&f, normal));
		AbutGrowthSide grown[2];
		AbutGrowthContact start = {.count = 0};
		AbutGrowth growth;
		for (int s = 0; s < 2; s++) {
			abut_growth_place(f.shape[s], f.side[s].x, f.side[s].R, &grown[s]);
		}
		cr_assert(abut_growth_solve(&grown[0], &grown[1], &start, &growth), "seed %d", seed);
		cr_assert((growth.alpha > 1.0) == (separation > 0.0) || fabs(growth.alpha - 1.0) < 1e-7,
		          "seed %d: alpha %g, separation %g", seed, growth.alpha, separation);
		for (int i = 0; i < 200 && separation < 0.0; i++) {
			double n[3];
			for (int k = 0; k < 3; k++) {
				n[k] = abut_rng_normal(&rng);
			}
			const double length = abut_norm3(n);
			for (int k = 0; k < 3; k++) {
				n[k] /= length;
			}
			cr_assert_leq(distance_along(&f, n), separation + 1e-10, "seed %d: %g separates more than %g",
			              seed, distance_along(&f, n), separation);
		}
		overlapping += separation < 0.0;
		apart += separation > 0.0;
		end(&f);
	}
	cr_assert(overlapping > 100 && apart > 100, "%d, %d", overlapping, apart);
}

/* Returns how far p is outside the shape: the largest height over a face. */
static double outside(const Fixture *f, int s, const double p[3])
{
	const AbutManifoldShape *shape = &f->own[s];
	double own[3], most = -(double)INFINITY;
	for (int i = 0; i < 3; i++) {
		own[i] = p[i] - f->side[s].x[i];
	}
	abut_mat3_tvec(f->side[s].R, own, own);
	if (shape->kind == ABUT_MANIFOLD_PLANE) {
		return abut_dot3(shape->normal, own) - shape->offset;
	}
	if (shape->kind == ABUT_MANIFOLD_BALL) {
		return abut_norm3(own) - shape->radius;
	}
	for (int i = 0; i < shape->hull->n_faces; i++) {
		most = fmax(most, abut_dot3(&shape->hull->normals[3 * i], own) - shape->hull->offsets[i]);
	}
	return most;
}

/* Half the gap along the normal from each point is the surface of each side. */
Test(manifold, points_are_on_both_surfaces)
{
	int points = 0;
	for (int seed = 0; seed < 1200; seed++) {
		AbutRng rng = {(uint64_t)seed};
		Fixture f;
		AbutManifold m;
		const int first = seed % KINDS, second = (seed / KINDS) % (first == 3 ? 3 : KINDS);
		begin(&f, first, second, abut_rng_uniform(&rng, 0.4, 1.3), &rng);
		const double margin = 0.05;
		abut_manifold_make(f.side, margin, &m);
		double normal[3];
		const double separation = abut_manifold_separation(f.side, normal);
		for (int i = 0; i < m.n; i++, points++) {
			const AbutManifoldPoint *p = &m.points[i];
			cr_assert_leq(p->gap, margin + 1e-12, "seed %d", seed);
			cr_assert_geq(p->gap, distance_along(&f, m.normal) - 1e-10, "seed %d: %g below the planes' %g",
			              seed, p->gap, distance_along(&f, m.normal));
			double surface[2][3];
			for (int k = 0; k < 3; k++) {
				surface[0][k] = p->point[k] - 0.5 * p->gap * m.normal[k];
				surface[1][k] = p->point[k] + 0.5 * p->gap * m.normal[k];
			}
			for (int s = 0; s < 2; s++) {
				cr_assert_float_eq(outside(&f, s, surface[s]), 0.0, 1e-9,
				                   "seed %d, point %d, rule %d, side %d: %g off the surface", seed, i,
				                   (int)p->rule, s, outside(&f, s, surface[s]));
			}
		}
		cr_assert(m.n > 0 || separation > -0.02, "seed %d: no point at separation %g", seed, separation);
		end(&f);
	}
	cr_assert_gt(points, 1000);
}

/* --- edges that are almost parallel --- */

/* Two cubes, both turned by an eighth about y so that edges along y face each other, the other one also by `yaw`. */
static void begin_diamonds(Fixture *f, double yaw, AbutRng *rng)
{
	const double none[3] = {0.0, 0.0, 0.0};
	const double turn[4] = {cos(0.5 * yaw), 0.0, 0.0, sin(0.5 * yaw)};
	for (int s = 0; s < 2; s++) {
		const double half[3] = {0.5, 0.5, 0.5};
		AbutError error;
		cr_assert_eq(abut_shape_create_box(half, &f->shape[s], &error), ABUT_OK, "%s", error.message);
		cr_assert_eq(abut_manifold_shape_create(f->shape[s], none, 1.0, &f->own[s], &error), ABUT_OK, "%s",
		             error.message);
		f->side[s].shape = &f->own[s];
		f->q[s][0] = cos(3.14159265358979 / 8.0);
		f->q[s][1] = f->q[s][3] = 0.0;
		f->q[s][2] = sin(3.14159265358979 / 8.0);
		abut_copy3(none, f->side[s].x);
	}
	double q[4];
	abut_quat_mul(turn, f->q[1], q);
	memcpy(f->q[1], q, sizeof q);
	f->side[1].x[0] = abut_rng_uniform(rng, -0.01, 0.01);
	f->side[1].x[1] = abut_rng_uniform(rng, -0.3, 0.3);
	f->side[1].x[2] = sqrt(2.0) + abut_rng_uniform(rng, 0.0, 0.05);
	place(f);
}

/* Returns the distance of the cube from p. */
static double distance_of_cube(const AbutManifoldSide *cube, const double p[3])
{
	double own[3], beyond[3];
	for (int i = 0; i < 3; i++) {
		own[i] = p[i] - cube->x[i];
	}
	abut_mat3_tvec(cube->R, own, own);
	for (int i = 0; i < 3; i++) {
		beyond[i] = fmax(fabs(own[i]) - 0.5, 0.0);
	}
	return abut_norm3(beyond);
}

/* If the bodies are apart, the lines of two edges may be nearest to each other far from both edges. This is not a
 * contact point. */
Test(manifold, near_parallel_edges_have_no_points_off_the_bodies)
{
	const double margin = 0.06;
	int of_edges = 0, of_faces = 0;
	for (int seed = 0; seed < 4000; seed++) {
		AbutRng rng = {(uint64_t)seed};
		Fixture f;
		AbutManifold m;
		begin_diamonds(&f, abut_rng_uniform(&rng, -0.05, 0.05), &rng);
		abut_manifold_make(f.side, margin, &m);
		for (int i = 0; i < m.n; i++) {
			for (int s = 0; s < 2; s++) {
				const double distance = distance_of_cube(&f.side[s], m.points[i].point);
				cr_assert_leq(distance, 0.5 * margin + 1e-5, "seed %d, rule %d: %g off side %d", seed,
				              (int)m.points[i].rule, distance, s);
			}
			of_edges += m.points[i].rule == ABUT_MANIFOLD_EDGES;
			of_faces += m.points[i].rule != ABUT_MANIFOLD_EDGES;
		}
		end(&f);
	}
	cr_assert(of_edges > 300 && of_faces > 300, "%d points of edges, %d of faces", of_edges, of_faces);
}

/* --- the largest faces --- */

static void make_prism(Fixture *f, int s)
{
	const double none[3] = {0.0, 0.0, 0.0};
	double points[6 * ABUT_MANIFOLD_CORNERS];
	AbutError error;
	for (int i = 0; i < ABUT_MANIFOLD_CORNERS; i++) {
		const double angle = 2.0 * 3.14159265358979 * i / ABUT_MANIFOLD_CORNERS;
		for (int k = 0; k < 2; k++) {
			double *p = &points[3 * (2 * i + k)];
			p[0] = cos(angle);
			p[1] = sin(angle);
			p[2] = k == 0 ? -0.5 : 0.5;
		}
	}
	cr_assert_eq(abut_shape_create_polytope_from_vertices(2 * ABUT_MANIFOLD_CORNERS, points, &f->shape[s], &error),
	             ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_manifold_shape_create(f->shape[s], none, 1.0, &f->own[s], &error), ABUT_OK, "%s",
	             error.message);
	f->side[s].shape = &f->own[s];
}

/* Prisms of 64 corners lie on each other, rotated and shifted. If the rotation is half a corner, all 64 planes cut, and
 * the polygon has 128 corners. The four points are corners of the common area, spread over it. */
Test(manifold, clips_faces_of_the_most_corners)
{
	const double radius = cos(3.14159265358979 / ABUT_MANIFOLD_CORNERS); /* of the inner circle */
	for (int seed = 0; seed < 64; seed++) {
		AbutRng rng = {(uint64_t)seed};
		Fixture f = {.shape = {NULL, NULL}};
		AbutManifold m;
		const double shift = seed % 8 == 0 ? 0.0 : abut_rng_uniform(&rng, 0.0, 1.2);
		const double turn = 3.14159265358979 / ABUT_MANIFOLD_CORNERS * (seed % 4 < 2 ? 1.0 : 0.3 * (seed % 5));
		const double way = abut_rng_uniform(&rng, 0.0, 6.0);
		for (int s = 0; s < 2; s++) {
			make_prism(&f, s);
			turn_about_z(s * turn, f.q[s]);
		}
		f.side[1].x[0] = shift * cos(way);
		f.side[1].x[1] = shift * sin(way);
		f.side[1].x[2] = 0.99;
		place(&f);
		abut_manifold_make(f.side, 0.05, &m);
		cr_assert_eq(m.n, 4, "seed %d: %d points", seed, m.n);
		double widest = 0.0;
		for (int i = 0; i < m.n; i++) {
			const double *p = m.points[i].point;
			cr_assert_float_eq(m.points[i].gap, -0.01, 1e-12, "seed %d: %g", seed, m.points[i].gap);
			for (int s = 0; s < 2; s++) {
				cr_assert_leq(outside(&f, s, p), 1e-9, "seed %d, point %d: %g outside", seed, i,
				              outside(&f, s, p));
			}
			for (int j = 0; j < i; j++) {
				const double *q = m.points[j].point;
				widest = fmax(widest, hypot(p[0] - q[0], p[1] - q[1]));
			}
		}
		/* the furthest from one point is at least half of what is widest */
		const double chord = 2.0 * sqrt(radius * radius - 0.25 * shift * shift);
		const double least = shift > 0.0 ? 0.5 * chord : chord;
		cr_assert_geq(widest, least, "seed %d: %g wide, not %g", seed, widest, least);
		end(&f);
	}
}

/* Swapped shapes give the same points and the opposite normal. */
Test(manifold, is_the_same_swapped)
{
	for (int seed = 0; seed < 800; seed++) {
		AbutRng rng = {(uint64_t)seed};
		Fixture f;
		AbutManifold m, swapped;
		const int first = seed % KINDS, second = (seed / KINDS) % (first == 3 ? 3 : KINDS);
		begin(&f, first, second, abut_rng_uniform(&rng, 0.4, 1.3), &rng);
		const AbutManifoldSide other[2] = {f.side[1], f.side[0]};
		abut_manifold_make(f.side, 0.1, &m);
		abut_manifold_make(other, 0.1, &swapped);
		cr_assert_eq(m.n, swapped.n, "seed %d: %d and %d points", seed, m.n, swapped.n);
		for (int i = 0; i < m.n; i++) {
			cr_assert(has_point(&swapped, m.points[i].point, m.points[i].gap), "seed %d, point %d", seed,
			          i);
			cr_assert_float_eq(abut_dot3(m.normal, swapped.normal), -1.0, 1e-12, "seed %d", seed);
		}
		end(&f);
	}
}

/* If both shapes move and rotate together, so do the points, and their features stay the same. */
Test(manifold, moves_with_the_shapes)
{
	for (int seed = 0; seed < 400; seed++) {
		AbutRng rng = {(uint64_t)seed};
		Fixture f;
		AbutManifold m, moved;
		const int first = seed % KINDS, second = (seed / KINDS) % (first == 3 ? 3 : KINDS);
		begin(&f, first, second, abut_rng_uniform(&rng, 0.4, 1.3), &rng);
		abut_manifold_make(f.side, 0.1, &m);
		double T[9];
		const double way[3] = {0.3, -0.2, 0.5};
		move_both(&f, &rng, way, T);
		abut_manifold_make(f.side, 0.1, &moved);
		cr_assert_eq(m.n, moved.n, "seed %d", seed);
		for (int i = 0; i < m.n; i++) {
			double p[3];
			abut_mat3_vec(T, m.points[i].point, p);
			for (int k = 0; k < 3; k++) {
				p[k] += way[k];
			}
			cr_assert(has_point(&moved, p, m.points[i].gap), "seed %d, point %d", seed, i);
			cr_assert_eq(m.points[i].feature, moved.points[i].feature, "seed %d, point %d", seed, i);
		}
		end(&f);
	}
}

/* Boxes lie on each other, shifted. The points are the corners of the common rectangle. */
Test(manifold, covers_what_two_faces_share)
{
	for (int seed = 0; seed < 200; seed++) {
		AbutRng rng = {(uint64_t)seed};
		Fixture f;
		AbutManifold m;
		begin(&f, 0, 0, 1.0, &rng);
		const double *a = f.shape[0]->size, *b = f.shape[1]->size;
		double shared = 1.0;
		for (int s = 0; s < 2; s++) {
			f.q[s][0] = 1.0;
			f.q[s][1] = f.q[s][2] = f.q[s][3] = 0.0;
		}
		for (int k = 0; k < 2; k++) {
			const double shift = abut_rng_uniform(&rng, -0.2, 0.2);
			f.side[1].x[k] = f.side[0].x[k] + shift;
			shared *= fmin(a[k], b[k] + shift) - fmax(-a[k], shift - b[k]);
		}
		f.side[1].x[2] = f.side[0].x[2] + a[2] + b[2] - 0.01;
		place(&f);
		abut_manifold_make(f.side, 0.0, &m);
		cr_assert_eq(m.n, 4, "seed %d: %d points", seed, m.n);
		double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
		for (int i = 0; i < 4; i++) {
			cr_assert_float_eq(m.points[i].gap, -0.01, 1e-12, "seed %d", seed);
			for (int k = 0; k < 2; k++) {
				low[k] = fmin(low[k], m.points[i].point[k]);
				high[k] = fmax(high[k], m.points[i].point[k]);
			}
		}
		cr_assert_float_eq((high[0] - low[0]) * (high[1] - low[1]), shared, 1e-12, "seed %d", seed);
		end(&f);
	}
}

/* On a halfspace the points are the vertices below the margin, or four of them with the deepest. */
Test(manifold, finds_the_vertices_below)
{
	for (int seed = 0; seed < 200; seed++) {
		AbutRng rng = {(uint64_t)seed};
		Fixture f;
		AbutManifold m;
		begin(&f, seed % 2, 3, abut_rng_uniform(&rng, 0.2, 1.1), &rng);
		const AbutHull *hull = f.own[0].hull;
		int below = 0;
		double deepest = INFINITY;
		for (int i = 0; i < hull->n_vertices; i++) {
			double p[3];
			abut_mat3_vec(f.side[0].R, &hull->vertices[3 * i], p);
			for (int k = 0; k < 3; k++) {
				p[k] += f.side[0].x[k];
			}
			const double height = outside(&f, 1, p);
			below += height <= 0.02;
			deepest = fmin(deepest, height);
		}
		abut_manifold_make(f.side, 0.02, &m);
		cr_assert_eq(m.n, below < 4 ? below : m.n, "seed %d: %d of %d", seed, m.n, below);
		cr_assert(below < 4 || m.n >= 3, "seed %d: %d of %d", seed, m.n, below);
		double least = INFINITY;
		for (int i = 0; i < m.n; i++) {
			least = fmin(least, m.points[i].gap);
		}
		cr_assert(m.n == 0 || fabs(least - deepest) < 1e-12, "seed %d", seed);
		end(&f);
	}
}

/* Twelve points on a circle have the same depth: the points are a square. If one is deeper, it is among the four.
 * Points above the margin are not. */
Test(manifold, keeps_four_points_that_span_the_face)
{
	const double normal[3] = {0.0, 0.0, 1.0};
	double points[36];
	int chosen[ABUT_MANIFOLD_POINTS];
	for (int i = 0; i < 12; i++) {
		const double angle = 3.14159265358979 / 6.0 * ((5 * i) % 12); /* in no order */
		points[3 * i] = cos(angle);
		points[3 * i + 1] = sin(angle);
		points[3 * i + 2] = 0.0;
	}
	cr_assert_eq(abut_manifold_reduce(12, points, normal, 0.0, 0.1, chosen), 4);
	double sides = 0.0;
	for (int i = 0; i < 4; i++) {
		double nearest = 9.0;
		for (int j = 0; j < 4; j++) {
			const double *a = &points[3 * chosen[i]], *b = &points[3 * chosen[j]];
			nearest = i == j ? nearest : fmin(nearest, hypot(a[0] - b[0], a[1] - b[1]));
		}
		sides += nearest;
	}
	cr_assert_float_eq(sides, 4.0 * sqrt(2.0), 1e-9);
	points[3 * 7 + 2] = -0.01;
	points[3 * 3 + 2] = 0.2;
	cr_assert_eq(abut_manifold_reduce(12, points, normal, 0.0, 0.1, chosen), 4);
	cr_assert_eq(chosen[0], 7);
	cr_assert(chosen[1] != 3 && chosen[2] != 3 && chosen[3] != 3);
}

/* --- the gradient --- */

Test(manifold, gradient_is_that_of_differences)
{
	enum { RULES = 6 };
	const double step = 1e-5;
	int checked[RULES] = {0}, lost = 0;
	for (int seed = 0; seed < 900; seed++) {
		AbutRng rng = {(uint64_t)seed};
		Fixture f;
		AbutManifold m;
		const int first = seed % KINDS, second = (seed / KINDS) % (first == 3 ? 3 : KINDS);
		begin(&f, first, second, abut_rng_uniform(&rng, 0.6, 1.3), &rng);
		abut_manifold_make(f.side, 0.2, &m);
		for (int i = 0; i < m.n; i++) {
			const AbutManifoldPoint *p = &m.points[i];
			AbutManifoldGradient gradient;
			cr_assert(abut_manifold_gradient(f.side, &m, i, &gradient), "seed %d", seed);
			bool whole = true;
			for (int c = 0; c < ABUT_MANIFOLD_COLUMNS; c++) {
				AbutManifold low, high;
				Fixture moved = f;
				nudge(&moved, c, step);
				abut_manifold_make(moved.side, 0.2, &high);
				moved = f;
				nudge(&moved, c, -step);
				abut_manifold_make(moved.side, 0.2, &low);
				const AbutManifoldPoint *a = find_feature(&low, p->feature);
				const AbutManifoldPoint *b = find_feature(&high, p->feature);
				if (!a || !b) {
					whole = false;
					lost++;
					continue;
				}
				for (int k = 0; k < 3; k++) {
					const double point = (b->point[k] - a->point[k]) / (2.0 * step);
					const double normal = (high.normal[k] - low.normal[k]) / (2.0 * step);
					cr_assert_float_eq(gradient.point[k][c], point, 2e-6 * (1.0 + fabs(point)),
					                   "seed %d, rule %d, column %d: point %g, not %g", seed,
					                   (int)p->rule, c, gradient.point[k][c], point);
					cr_assert_float_eq(gradient.normal[k][c], normal, 2e-6 * (1.0 + fabs(normal)),
					                   "seed %d, rule %d, column %d: normal %g, not %g", seed,
					                   (int)p->rule, c, gradient.normal[k][c], normal);
				}
				const double gap = (b->gap - a->gap) / (2.0 * step);
				cr_assert_float_eq(gradient.gap[c], gap, 2e-6 * (1.0 + fabs(gap)),
				                   "seed %d, rule %d, column %d: gap %g, not %g", seed, (int)p->rule, c,
				                   gradient.gap[c], gap);
			}
			checked[p->rule] += whole;
		}
		end(&f);
	}
	for (int i = 0; i < RULES; i++) {
		cr_assert_gt(checked[i], 20, "rule %d was checked %d times", i, checked[i]);
	}
	cr_assert_lt(lost, 200, "%d features lost", lost);
}

Test(manifold, refuses_what_it_does_not_know)
{
	AbutShape *shape = NULL;
	AbutManifoldShape own;
	AbutError error;
	const double none[3] = {0.0, 0.0, 0.0};
	double ring[6 * 70];
	for (int i = 0; i < 70; i++) {
		const double angle = 2.0 * 3.14159265358979 * i / 70;
		for (int k = 0; k < 2; k++) {
			double *p = &ring[3 * (2 * i + k)];
			p[0] = cos(angle);
			p[1] = sin(angle);
			p[2] = k == 0 ? -0.5 : 0.5;
		}
	}
	cr_assert_eq(abut_shape_create_polytope_from_vertices(140, ring, &shape, &error), ABUT_OK);
	cr_assert_eq(abut_manifold_shape_create(shape, none, 1.0, &own, &error), ABUT_ERROR_UNSUPPORTED);
	cr_assert(strstr(error.message, "70 corners"), "%s", error.message);
	abut_shape_destroy(shape);
}
