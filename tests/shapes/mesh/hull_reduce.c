/* Compares distances to a hull with those to its faces, edges and vertices one by one. Compares polytopes of fewer
 * faces with their own vertices, those of the hull, and random points of both. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/vec3.h"
#include "shapes/hull/distance.h"
#include "shapes/hull/halfspaces.h"
#include "shapes/hull/hull.h"
#include "shapes/sample.h"
#include "shapes/solids.h"

static Solid solid;

static double distance_to_segment(const double a[3], const double b[3], const double p[3])
{
	double ab[3], ap[3];
	for (int k = 0; k < 3; k++) {
		ab[k] = b[k] - a[k];
		ap[k] = p[k] - a[k];
	}
	const double t = fmin(1.0, fmax(0.0, abut_dot3(ab, ap) / abut_dot3(ab, ab)));
	for (int k = 0; k < 3; k++) {
		ap[k] -= t * ab[k];
	}
	return abut_norm3(ap);
}

/* Returns the distance of a point outside: to the nearest edge, or to a face above whose interior it lies; 0 inside. */
static double brute_distance(const AbutHull *hull, const double p[3])
{
	double best = HUGE_VAL, highest = -HUGE_VAL, from[3];
	for (int k = 0; k < 3; k++) {
		from[k] = p[k] - hull->origin[k];
	}
	for (int f = 0; f < hull->n_faces; f++) {
		const double *n = &hull->normals[3 * f], height = abut_dot3(n, from) - hull->offsets[f];
		const int start = hull->face_start[f], corners = hull->face_start[f + 1] - start;
		bool above = true;
		highest = fmax(highest, height);
		for (int k = 0; k < corners; k++) {
			const double *a = &hull->vertices[3 * hull->face_vertex[start + k]],
			             *b = &hull->vertices[3 * hull->face_vertex[start + (k + 1) % corners]];
			const double ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]},
			             ap[3] = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
			double cross[3];
			abut_cross3(ab, ap, cross);
			above = above && abut_dot3(cross, n) >= 0.0;
			best = fmin(best, distance_to_segment(a, b, p));
		}
		if (above && height >= 0.0) {
			best = fmin(best, height);
		}
	}
	return highest <= 0.0 ? 0.0 : best;
}

Test(hull_reduce, distances_of_points)
{
	for (unsigned seed = 1; seed <= 200; seed++) {
		AbutRng rng = abut_rng_stream(seed, 0);
		const int n = 4 + (int)(abut_rng_next(&rng) % 60);
		double *points = malloc(3 * (size_t)n * sizeof *points), stretch[3];
		for (int k = 0; k < 3; k++) {
			stretch[k] = pow(10.0, abut_rng_uniform(&rng, -2.0, 0.5));
		}
		for (int i = 0; i < 3 * n; i++) {
			points[i] = stretch[i % 3] * abut_rng_normal(&rng) + 1.0;
		}
		AbutHull *hull = NULL;
		cr_assert_eq(abut_hull_create(n, points, 0.0, 0.0, "points", &hull, NULL), ABUT_OK, "seed %u", seed);
		for (int i = 0; i < 50; i++) {
			double p[3], nearest[3];
			for (int k = 0; k < 3; k++) {
				p[k] = 3.0 * stretch[k] * abut_rng_normal(&rng) + 1.0;
			}
			const double distance = abut_hull_distance(n, points, p, nearest);
			const double step[3] = {nearest[0] - p[0], nearest[1] - p[1], nearest[2] - p[2]};
			cr_assert_float_eq(distance, brute_distance(hull, p), 1e-11, "seed %u: %.15g, not %.15g", seed,
			                   distance, brute_distance(hull, p));
			cr_assert_float_eq(abut_norm3(step), distance, 1e-12, "seed %u", seed);
			cr_assert_leq(brute_distance(hull, nearest), 1e-11, "seed %u", seed);
		}
		/* A vertex, the middle of two, the middle of all: the distance is zero. */
		for (int i = 1; i < n; i++) {
			double nearest[3], middle[3];
			for (int k = 0; k < 3; k++) {
				middle[k] = 0.5 * (points[k] + points[3 * i + k]);
			}
			cr_assert_leq(abut_hull_distance(n, points, &points[3 * i], nearest), 1e-13, "seed %u", seed);
			cr_assert_leq(abut_hull_distance(n, points, middle, nearest), 1e-13, "seed %u", seed);
		}
		abut_hull_destroy(hull);
		free(points);
	}
}

/* Makes a random mesh: knobby balls, thin ones, boxes with rounded edges. */
static AbutMesh *make_mesh(unsigned seed)
{
	AbutRng rng = abut_rng_stream(seed, 0);
	double stretch[3];
	solid_sphere(&solid, 1.0, 1 + (int)(seed % 3));
	for (int k = 0; k < 3; k++) {
		stretch[k] = abut_rng_uniform(&rng, 0.1, 1.0);
	}
	for (int i = 0; i < solid.n_vertices; i++) {
		const double factor = seed % 2 ? abut_rng_uniform(&rng, 0.8, 1.0) : 1.0;
		for (int k = 0; k < 3; k++) {
			double *x = &solid.vertices[3 * i + k];
			*x *= factor * stretch[k];
			if (seed % 4 == 0) {
				*x = copysign(fmin(fabs(*x), 0.8 * stretch[k]), *x); /* flat sides */
			}
		}
	}
	return solid_mesh(&solid);
}

/* Draws a point of the polytope: a random mean of its vertices, mostly of few. */
static void draw(const AbutShape *shape, AbutRng *rng, double p[3])
{
	double sum = 0.0;
	memset(p, 0, 3 * sizeof *p);
	for (int i = 0; i < 3; i++) {
		const double *v = &shape->vertices[3 * (abut_rng_next(rng) % (uint64_t)shape->n_vertices)];
		const double weight = abut_rng_uniform(rng, 0.0, 1.0);
		sum += weight;
		for (int k = 0; k < 3; k++) {
			p[k] += weight * v[k];
		}
	}
	for (int k = 0; k < 3; k++) {
		p[k] /= sum;
	}
}

/* Returns the largest height of a point over the rows. */
static double outside(const AbutShape *shape, const double p[3])
{
	double most = -HUGE_VAL;
	for (int i = 0; i < shape->n_rows; i++) {
		most = fmax(most, abut_dot3(&shape->A[3 * i], p) - shape->h[i] - shape->d[i]);
	}
	return most;
}

/* The distance of the furthest vertex of `of` to `to`. */
static double furthest(const AbutShape *of, const AbutShape *to)
{
	double most = 0.0, nearest[3];
	for (int i = 0; i < of->n_vertices; i++) {
		most = fmax(most, abut_hull_distance(to->n_vertices, to->vertices, &of->vertices[3 * i], nearest));
	}
	return most;
}

Test(hull_reduce, contains_or_is_contained_and_its_error_is_true)
{
	for (unsigned seed = 1; seed <= 40; seed++) {
		AbutRng rng = abut_rng_stream(seed, 1);
		AbutMesh *mesh = make_mesh(seed);
		AbutShape *hull = NULL;
		cr_assert_eq(abut_mesh_hull(mesh, 0, ABUT_MESH_FIT_OUTER, &hull, NULL, NULL), ABUT_OK, "seed %u", seed);
		for (int run = 0; run < 4; run++) {
			const AbutMeshFit fit = run % 2 ? ABUT_MESH_FIT_INNER : ABUT_MESH_FIT_OUTER;
			const int most = 4 + (int)(abut_rng_next(&rng) % (run < 2 ? 30 : 70));
			AbutShape *shape = NULL, *again = NULL;
			AbutMeshHullReport report;
			AbutError error = {0};
			cr_assert_eq(abut_mesh_hull(mesh, most, fit, &shape, &report, &error), ABUT_OK,
			             "seed %u, %d faces: %s", seed, most, error.message);
			cr_expect_leq(shape->n_rows, most, "seed %u", seed);
			const double slack = 4e-6 * hull->outer_radius; /* of faces that are one: ABUT_MESH_COPLANAR */
			if (report.hausdorff == 0.0) {
				cr_expect_float_eq(shape->mass.volume, hull->mass.volume, 1e-5 * hull->mass.volume);
			} else if (fit == ABUT_MESH_FIT_OUTER) {
				for (int i = 0; i < mesh->n_vertices; i++) {
					cr_assert_leq(outside(shape, &mesh->vertices[3 * i]), 1e-12,
					              "seed %u: vertex %d by %g", seed, i,
					              outside(shape, &mesh->vertices[3 * i]));
				}
				cr_expect_float_eq(report.hausdorff, furthest(shape, hull), 1e-9, "seed %u", seed);
				cr_expect_geq(shape->mass.volume, hull->mass.volume * (1.0 - 1e-5), "seed %u", seed);
			} else {
				for (int i = 0; i < shape->n_vertices; i++) {
					cr_assert_leq(outside(hull, &shape->vertices[3 * i]), slack, "seed %u", seed);
				}
				cr_expect_float_eq(report.hausdorff, furthest(hull, shape), slack,
				                   "seed %u: %g, not %g", seed, report.hausdorff,
				                   furthest(hull, shape));
				cr_expect_leq(shape->mass.volume, hull->mass.volume * (1.0 + 1e-5), "seed %u", seed);
			}
			/* No point of the larger one is further from the smaller one than the reported distance. */
			const AbutShape *large = fit == ABUT_MESH_FIT_OUTER ? shape : hull,
			                *small = fit == ABUT_MESH_FIT_OUTER ? hull : shape;
			for (int i = 0; i < 200; i++) {
				double p[3], nearest[3];
				draw(large, &rng, p);
				cr_assert_leq(abut_hull_distance(small->n_vertices, small->vertices, p, nearest),
				              report.hausdorff + slack, "seed %u", seed);
			}
			/* The same call gives the same bits. */
			cr_assert_eq(abut_mesh_hull(mesh, most, fit, &again, NULL, NULL), ABUT_OK);
			cr_expect(again->n_rows == shape->n_rows &&
			              memcmp(again->A, shape->A, 3 * (size_t)shape->n_rows * sizeof *shape->A) == 0 &&
			              memcmp(again->d, shape->d, (size_t)shape->n_rows * sizeof *shape->d) == 0,
			          "seed %u", seed);
			abut_shape_destroy(again);
			abut_shape_destroy(shape);
		}
		abut_shape_destroy(hull);
		abut_mesh_destroy(mesh);
	}
}

/* More faces give a smaller error, for a ball, whose best error with N faces is proportional to 1 / N. */
Test(hull_reduce, error_falls_with_the_faces)
{
	double before[2] = {HUGE_VAL, HUGE_VAL};
	solid_sphere(&solid, 1.0, 3);
	AbutMesh *mesh = solid_mesh(&solid);
	for (int most = 16; most <= 128; most *= 2) {
		for (int fit = 0; fit < 2; fit++) {
			AbutShape *shape = NULL;
			AbutMeshHullReport report;
			cr_assert_eq(abut_mesh_hull(mesh, most, (AbutMeshFit)fit, &shape, &report, NULL), ABUT_OK);
			cr_expect_lt(report.hausdorff, 0.8 * before[fit], "%d faces, fit %d: %g", most, fit,
			             report.hausdorff);
			cr_expect_lt(report.hausdorff, (fit ? 8.5 : 5.0) / most, "%d faces, fit %d: %g", most, fit,
			             report.hausdorff);
			before[fit] = report.hausdorff;
			abut_shape_destroy(shape);
		}
	}
	abut_mesh_destroy(mesh);
}

/* Returns the error of the halfspaces of a polytope without one of them; HUGE_VAL if they enclose nothing. */
static double error_without(const AbutShape *hull, int row)
{
	double A[3 * 64], b[64], most = 0.0, nearest[3], *points = NULL;
	int m = 0, n = 0;
	for (int i = 0; i < hull->n_rows; i++) {
		if (i != row) {
			abut_copy3(&hull->A[3 * i], &A[3 * m]);
			b[m++] = hull->h[i] + hull->d[i];
		}
	}
	if (abut_halfspaces_vertices(m, A, b, &n, &points, NULL) != ABUT_OK) {
		return HUGE_VAL;
	}
	for (int i = 0; i < n; i++) {
		most = fmax(most, abut_hull_distance(hull->n_vertices, hull->vertices, &points[3 * i], nearest));
	}
	free(points);
	return most;
}

/* Returns the error of the box along the axes. */
static double error_of_bounds(const AbutShape *hull)
{
	double most = 0.0, nearest[3], bound[2][3];
	for (int k = 0; k < 3; k++) {
		bound[0][k] = HUGE_VAL;
		bound[1][k] = -HUGE_VAL;
		for (int i = 0; i < hull->n_vertices; i++) {
			bound[0][k] = fmin(bound[0][k], hull->vertices[3 * i + k]);
			bound[1][k] = fmax(bound[1][k], hull->vertices[3 * i + k]);
		}
	}
	for (int i = 0; i < 8; i++) {
		const double p[3] = {bound[i % 2][0], bound[i / 2 % 2][1], bound[i / 4][2]};
		most = fmax(most, abut_hull_distance(hull->n_vertices, hull->vertices, p, nearest));
	}
	return most;
}

/* With one face fewer than few, the error is at most that of leaving out the face that matters least. With six it is at
 * most that of the bounding box. (Once, six faces for an L whose hull has seven had an error of 0.3 m, while leaving
 * one out gives 0.1 m.) */
Test(hull_reduce, few_faces_are_no_worse_than_by_hand)
{
	for (unsigned seed = 1; seed <= 60; seed++) {
		AbutRng rng = abut_rng_stream(seed, 2);
		double points[3 * 12];
		AbutShape *hull = NULL, *shape = NULL;
		AbutMeshHullReport report;
		const int n = 5 + (int)(abut_rng_next(&rng) % 8);
		for (int i = 0; i < 3 * n; i++) {
			points[i] = abut_rng_uniform(&rng, -1.0, 1.0);
			points[i] = seed % 2 ? copysign(fmin(fabs(points[i]), 0.5), points[i]) : points[i];
		}
		cr_assert_eq(abut_shape_create_polytope_from_vertices(n, points, &hull, NULL), ABUT_OK, "seed %u",
		             seed);
		memcpy(solid.vertices, points, sizeof points);
		solid.n_vertices = n;
		solid.n_triangles = n - 2; /* any: of a hull the points count */
		for (int i = 0; i < 3 * solid.n_triangles; i++) {
			solid.triangles[i] = i / 3 + i % 3;
		}
		AbutMesh *mesh = solid_mesh(&solid);
		for (int most = hull->n_rows - 1; most >= 6; most = most > 6 ? 6 : 0) {
			double by_hand = error_of_bounds(hull);
			for (int i = 0; most == hull->n_rows - 1 && i < hull->n_rows; i++) {
				by_hand = fmin(by_hand, error_without(hull, i));
			}
			cr_assert_eq(abut_mesh_hull(mesh, most, ABUT_MESH_FIT_OUTER, &shape, &report, NULL), ABUT_OK);
			cr_expect_leq(report.hausdorff, by_hand * (1.0 + 1e-6) + 1e-6,
			              "seed %u, %d of %d faces: %g and %g", seed, most, hull->n_rows, report.hausdorff,
			              by_hand);
			abut_shape_destroy(shape);
		}
		abut_mesh_destroy(mesh);
		abut_shape_destroy(hull);
	}
}

/* The large faces of a box with rounded corners are faces of its outer polytope too. */
Test(hull_reduce, large_faces_stay)
{
	AbutShape *shape = NULL;
	solid_sphere(&solid, 1.0, 3);
	for (int i = 0; i < 3 * solid.n_vertices; i++) {
		solid.vertices[i] = copysign(fmin(fabs(solid.vertices[i]), 0.7), solid.vertices[i]);
	}
	AbutMesh *mesh = solid_mesh(&solid);
	cr_assert_eq(abut_mesh_hull(mesh, 20, ABUT_MESH_FIT_OUTER, &shape, NULL, NULL), ABUT_OK);
	for (int k = 0; k < 6; k++) {
		int found = 0;
		for (int i = 0; i < shape->n_rows; i++) {
			found += fabs(shape->A[3 * i + k / 2] - (k % 2 ? 1.0 : -1.0)) < 1e-12 &&
			         fabs(shape->h[i] + shape->d[i] - 0.7) < 1e-12;
		}
		cr_expect_eq(found, 1, "side %d", k);
	}
	abut_shape_destroy(shape);
	abut_mesh_destroy(mesh);
}

Test(hull_reduce, refuses_what_is_no_solid)
{
	AbutShape *shape = NULL;
	AbutError error = {0};
	solid_box(&solid, (const double[3]){1, 1, 1});
	for (int flat = 1; flat <= 3; flat++) { /* a square, a line, a point */
		for (int i = 0; i < 8; i++) {
			solid.vertices[3 * i + flat - 1] = 0.5;
		}
		AbutMesh *mesh = solid_mesh(&solid);
		cr_expect_eq(abut_mesh_hull(mesh, 0, ABUT_MESH_FIT_OUTER, &shape, NULL, &error), ABUT_ERROR_ARGUMENT);
		cr_expect(!shape && strstr(error.message, "flat"), "%s", error.message);
		abut_mesh_destroy(mesh);
	}
	solid_box(&solid, (const double[3]){1, 1, 1});
	AbutMesh *mesh = solid_mesh(&solid);
	cr_expect_eq(abut_mesh_hull(mesh, 3, ABUT_MESH_FIT_OUTER, &shape, NULL, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_mesh_hull(mesh, 0, (AbutMeshFit)7, &shape, NULL, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_mesh_hull(NULL, 0, ABUT_MESH_FIT_OUTER, &shape, NULL, &error), ABUT_ERROR_ARGUMENT);
	abut_mesh_destroy(mesh);
}

typedef struct Stop {
	const char *stage; /* where to stop, */
	int after;         /* at this word of it */
	int heard;
} Stop;

static bool stop_there(void *context, const char *stage, double part)
{
	Stop *stop = context;
	cr_expect(part == -1.0 || (part >= 0.0 && part <= 1.0), "%s: %g", stage, part);
	stop->heard += strcmp(stage, stop->stage) == 0;
	return stop->heard < stop->after;
}

/* Stops before the hull is begun, while qhull makes it, and while faces are removed. */
Test(hull_reduce, stops_when_told)
{
	static const Stop stops[] = {{"hull", 1, 0}, {"hull", 4, 0}, {"fewer faces", 1, 0}, {"fewer faces", 9, 0}};
	solid_sphere(&solid, 1.0, 5);
	AbutMesh *mesh = solid_mesh(&solid);
	for (size_t i = 0; i < 2 * sizeof stops / sizeof *stops; i++) {
		Stop stop = stops[i / 2];
		AbutShape *shape = NULL;
		AbutError error = {0};
		const AbutStatus status =
		    abut_mesh_hull_with_progress(mesh, 30, i % 2 ? ABUT_MESH_FIT_INNER : ABUT_MESH_FIT_OUTER,
		                                 stop_there, &stop, &shape, NULL, &error);
		cr_expect_eq(status, ABUT_ERROR_STOPPED, "%zu: %s", i, error.message);
		cr_expect(!shape && stop.heard == stop.after && strstr(error.message, "stopped"), "%zu: %d words, %s",
		          i, stop.heard, error.message);
	}
	abut_mesh_destroy(mesh);
}
