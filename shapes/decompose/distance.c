/* Computes the Hausdorff distance from a hull to the solids inside it: how far the hull bulges beyond its content.
 *
 * The furthest point lies on the hull's surface, where the distance to the solids is the distance to their surface. Two
 * upper bounds for a triangle of the hull prune the search. One is the largest distance of its corners to a single
 * triangle of the solids, because this distance is convex. The other is the distance of its middle, plus the distance
 * from there to the furthest corner. */
#include "shapes/decompose/distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/decompose/piece.h"
#include "shapes/geometry/triangle_tree.h"

enum { DISTANCE_SPLITS = 24 };

typedef struct Search {
	AbutTriangleTree tree;
	double tolerance, enough;
	double furthest;
} Search;

static void search_triangle(Search *search, const double a[3], const double b[3], const double c[3], int splits)
{
	double middle[3], ab[3], bc[3], ca[3];
	for (int i = 0; i < 3; i++) {
		middle[i] = (a[i] + b[i] + c[i]) / 3.0;
		ab[i] = 0.5 * (a[i] + b[i]);
		bc[i] = 0.5 * (b[i] + c[i]);
		ca[i] = 0.5 * (c[i] + a[i]);
	}
	int closest;
	const double distance = sqrt(abut_triangle_tree_closest(&search->tree, middle, &closest));
	search->furthest = abut_max(search->furthest, distance);
	const double *triangle = &search->tree.corners[9 * (size_t)closest];
	const double *const corners[3] = {a, b, c};
	double corner2 = 0.0, radius2 = 0.0;
	for (int k = 0; k < 3; k++) {
		const double *p = corners[k], step[3] = {p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]};
		corner2 = abut_max(corner2, abut_triangle_distance2(triangle, p));
		radius2 = abut_max(radius2, abut_dot3(step, step));
	}
	const double bound = abut_min(sqrt(corner2), distance + sqrt(radius2));
	if (splits == 0 || search->furthest > search->enough || bound <= search->furthest + search->tolerance) {
		return;
	}
	search_triangle(search, ab, bc, ca, splits - 1);
	search_triangle(search, a, ab, ca, splits - 1);
	search_triangle(search, b, bc, ab, splits - 1);
	search_triangle(search, c, ca, bc, splits - 1);
}

/* Returns the corners of the triangles of all solids; NULL when out of memory. */
static double *collect_corners(const AbutSolidList *solids, int *n)
{
	*n = 0;
	for (int i = 0; i < solids->n; i++) {
		*n += solids->items[i]->n_triangles;
	}
	double *corners = malloc(((size_t)*n * 9 + 1) * sizeof *corners);
	size_t k = 0;
	for (int i = 0; i < solids->n && corners; i++) {
		const AbutSolid *solid = solids->items[i];
		for (size_t j = 0; j < 3 * (size_t)solid->n_triangles; j++, k++) {
			abut_copy3(&solid->vertices[3 * (size_t)solid->triangles[j]], &corners[3 * k]);
		}
	}
	return corners;
}

AbutStatus abut_outline_distance(const AbutHullOutline *hull, const AbutSolidList *solids, double tolerance,
                                 double least, double enough, double *out, AbutError *error)
{
	int n = 0;
	Search search = {.tolerance = tolerance, .enough = enough, .furthest = least};
	double *corners = collect_corners(solids, &n);
	if (!corners || !abut_triangle_tree_create(n, corners, &search.tree)) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a tree of %d triangles", n);
	}
	for (int t = 0; t < hull->n_triangles; t++) {
		const int *corner = &hull->triangles[3 * (size_t)t];
		search_triangle(&search, &hull->points[3 * (size_t)corner[0]], &hull->points[3 * (size_t)corner[1]],
		                &hull->points[3 * (size_t)corner[2]], DISTANCE_SPLITS);
	}
	*out = search.furthest;
	abut_triangle_tree_free(&search.tree);
	return ABUT_OK;
}
