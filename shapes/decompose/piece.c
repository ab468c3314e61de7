/* Creates pieces, which are solids with a common hull, and measures their concavity.
 *
 * The depth of a point is its smallest distance to the planes of the hull's faces. This function is concave, so that a
 * triangle may have its greatest depth anywhere. But it is at most the largest distance of the triangle's corners to
 * any one plane. A triangle is split in four unless some plane shows that it cannot exceed the greatest depth so far.
 */
#include "shapes/decompose/piece.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/vec3.h"
#include "shapes/decompose/distance.h"

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

/* Finds the greatest depth (m) of the solid's surface below the planes of the hull, to within `tolerance`. Triangles
 * that close a cut do not count. Starts with *depth and stops early once it exceeds `enough`. `deepest` (3) receives
 * the point of the new greatest depth. */
static void find_depth(const AbutSolid *solid, const AbutHullOutline *hull, double tolerance, double enough,
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

void abut_piece_free(AbutSolidPiece *piece)
{
	abut_solid_list_free(&piece->solids);
	abut_hull_outline_free(&piece->hull);
}

void abut_piece_list_free(AbutSolidPieces *list)
{
	for (int i = 0; i < list->n; i++) {
		abut_piece_free(&list->items[i]);
	}
	free(list->items);
	*list = (AbutSolidPieces){0};
}

/* Computes the hull of all vertices of the solids. */
static AbutStatus wrap(const AbutSolidList *solids, AbutHullOutline *hull, AbutError *error)
{
	if (solids->n == 1) {
		return abut_hull_outline(solids->items[0]->n_vertices, solids->items[0]->vertices, hull, error);
	}
	int n = 0;
	for (int i = 0; i < solids->n; i++) {
		n += solids->items[i]->n_vertices;
	}
	double *points = malloc(((size_t)n * 3 + 1) * sizeof *points);
	if (!points) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a hull of %d points", n);
	}
	n = 0;
	for (int i = 0; i < solids->n; i++) {
		const AbutSolid *solid = solids->items[i];
		memcpy(&points[3 * (size_t)n], solid->vertices, (size_t)solid->n_vertices * 3 * sizeof *points);
		n += solid->n_vertices;
	}
	const AbutStatus status = abut_hull_outline(n, points, hull, error);
	free(points);
	return status;
}

double abut_piece_concavity(const AbutSolidPiece *piece)
{
	return abut_max(piece->depth, piece->distance);
}

AbutStatus abut_piece_measure(AbutSolidPiece *piece, const AbutDecomposeLengths *lengths, double enough,
                              AbutError *error)
{
	piece->depth = piece->distance = 0.0;
	for (int i = 0; i < piece->solids.n; i++) {
		find_depth(piece->solids.items[i], &piece->hull, lengths->tolerance, enough, &piece->depth,
		           piece->deepest);
	}
	return piece->depth > enough ? ABUT_OK
	                             : abut_outline_distance(&piece->hull, &piece->solids, lengths->tolerance,
	                                                     0.5 * lengths->bound, enough, &piece->distance, error);
}

AbutStatus abut_piece_add(AbutSolidPieces *list, AbutSolidList *solids, const AbutDecomposeLengths *lengths,
                          AbutError *error)
{
	AbutSolidPiece piece = {.solids = *solids};
	*solids = (AbutSolidList){0};
	AbutStatus status = wrap(&piece.solids, &piece.hull, error);
	if (status == ABUT_OK && !abut_grow(&list->items, &list->capacity, list->n + 1, sizeof *list->items)) {
		status = abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for %d pieces", list->n + 1);
	}
	if (status != ABUT_OK) {
		abut_piece_free(&piece);
		return status;
	}
	for (int i = 0; i < piece.solids.n; i++) {
		piece.volume += piece.solids.items[i]->volume;
	}
	status = abut_piece_measure(&piece, lengths, HUGE_VAL, error);
	list->items[list->n++] = piece;
	return status;
}
