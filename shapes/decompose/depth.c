/* Computes the concavity of a surface: its greatest depth below the faces of its hull.
 *
 * The depth of a point is its smallest distance to the planes of these faces. This function is concave, so that a
 * triangle may have its greatest depth anywhere. But it is at most the largest distance of the triangle's corners to
 * any one plane. A triangle is split in four unless some plane shows that it cannot exceed the greatest depth so far.
 */
#include "shapes/decompose/depth.h"

#include "shapes/decompose/piece.h"

#include <math.h>
#include <stddef.h>

#include "base/vec3.h"

/* Largest number of successive splits; smaller triangles would be smaller than rounding. */
enum { DEPTH_SPLITS = 24 };

typedef struct Search {
	const AbutHullOutline *hull;
	double tolerance, enough;
	double depth; /* largest depth so far, m */
	double deepest[3];
	int likely; /* plane that excluded the last triangle or point; it probably excludes the next one too */
} Search;

static double below(const Search *search, int plane, const double p[3])
{
	const double *row = &search->hull->planes[4 * (size_t)plane];
	return row[3] - abut_dot3(row, p);
}

/* Returns plane k in the order of the search, which begins with the likely plane. */
static int plane_at(const Search *search, int k)
{
	return k == 0 ? search->likely : (k <= search->likely ? k - 1 : k);
}

static void try_point(Search *search, const double p[3])
{
	double depth = HUGE_VAL;
	for (int k = 0; k < search->hull->n_planes; k++) {
		const int plane = plane_at(search, k);
		depth = abut_min(depth, below(search, plane, p));
		if (depth <= search->depth) {
			search->likely = plane;
			return;
		}
	}
	search->depth = depth;
	abut_copy3(p, search->deepest);
}

static bool ruled_out(Search *search, const double a[3], const double b[3], const double c[3])
{
	const double limit = search->depth + search->tolerance;
	for (int k = 0; k < search->hull->n_planes; k++) {
		const int plane = plane_at(search, k);
		if (below(search, plane, a) <= limit && below(search, plane, b) <= limit &&
		    below(search, plane, c) <= limit) {
			search->likely = plane;
			return true;
		}
	}
	return false;
}

static void search_triangle(Search *search, const double a[3], const double b[3], const double c[3], int splits)
{
	if (splits == 0 || search->depth > search->enough || ruled_out(search, a, b, c)) {
		return;
	}
	double ab[3], bc[3], ca[3];
	for (int i = 0; i < 3; i++) {
		ab[i] = 0.5 * (a[i] + b[i]);
		bc[i] = 0.5 * (b[i] + c[i]);
		ca[i] = 0.5 * (c[i] + a[i]);
	}
	try_point(search, ab);
	try_point(search, bc);
	try_point(search, ca);
	search_triangle(search, ab, bc, ca, splits - 1);
	search_triangle(search, a, ab, ca, splits - 1);
	search_triangle(search, b, bc, ab, splits - 1);
	search_triangle(search, c, ca, bc, splits - 1);
}

void abut_solid_depth(const AbutSolid *solid, const AbutHullOutline *hull, double tolerance, double enough,
                      double *depth, double deepest[3])
{
	Search search = {.hull = hull, .tolerance = tolerance, .enough = enough, .depth = *depth};
	/* Try all corners first: a larger known depth excludes more triangles. */
	for (int t = 0; t < solid->n_triangles && search.depth <= enough; t++) {
		for (int k = 0; k < 3 && !solid->is_cut[t]; k++) {
			try_point(&search, &solid->vertices[3 * (size_t)solid->triangles[3 * (size_t)t + (size_t)k]]);
		}
	}
	for (int t = 0; t < solid->n_triangles && search.depth <= enough; t++) {
		const int *corner = &solid->triangles[3 * (size_t)t];
		if (!solid->is_cut[t]) {
			search_triangle(&search, &solid->vertices[3 * (size_t)corner[0]],
			                &solid->vertices[3 * (size_t)corner[1]],
			                &solid->vertices[3 * (size_t)corner[2]], DEPTH_SPLITS);
		}
	}
	if (search.depth > *depth) {
		*depth = search.depth;
		abut_copy3(search.deepest, deepest);
	}
}
