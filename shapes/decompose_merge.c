/* Pieces put together again: cuts that served a neighbour, or the search for one, may have parted what fits in one
 * hull. The pair whose common hull adds the least volume comes first. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/decompose_piece.h"
#include "shapes/surface.h"

/* What is known of the pairs: the volume that the common hull adds to the two pieces; negative when not known, infinite
 * for a pair that may not be one. */
typedef struct Pairs {
	int stride;
	double *added; /* (stride x stride) at [i, j], i < j */
} Pairs;

static double *added_at(const Pairs *pairs, int i, int j)
{
	return &pairs->added[(size_t)(i < j ? i : j) * (size_t)pairs->stride + (size_t)(i < j ? j : i)];
}

/* The hull of two hulls. */
static AbutStatus join_hulls(const AbutHullOutline *a, const AbutHullOutline *b, AbutHullOutline *out, AbutError *error)
{
	const int n = a->n_points + b->n_points;
	double *points = malloc((size_t)n * 3 * sizeof *points);
	if (!points) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a hull of %d points", n);
	}
	memcpy(points, a->points, (size_t)a->n_points * 3 * sizeof *points);
	memcpy(points + 3 * (size_t)a->n_points, b->points, (size_t)b->n_points * 3 * sizeof *points);
	const AbutStatus status = abut_hull_outline(n, points, out, error);
	free(points);
	return status;
}

/* Whether the boxes around two hulls are further apart than `gap` along an axis. */
static bool far_apart(const AbutHullOutline *a, const AbutHullOutline *b, double gap)
{
	double low[2][3], high[2][3];
	abut_points_bounds(a->n_points, a->points, low[0], high[0]);
	abut_points_bounds(b->n_points, b->points, low[1], high[1]);
	bool apart = false;
	for (int k = 0; k < 3; k++) {
		apart = apart || low[0][k] > high[1][k] + gap || low[1][k] > high[0][k] + gap;
	}
	return apart;
}

static AbutStatus measure_pair(const AbutPieceList *list, int i, int j, double limit, double *added, AbutError *error)
{
	const AbutPiece *a = &list->items[i], *b = &list->items[j];
	*added = HUGE_VAL;
	if (far_apart(&a->hull, &b->hull, limit)) {
		return ABUT_OK;
	}
	AbutHullOutline hull;
	const AbutStatus status = join_hulls(&a->hull, &b->hull, &hull, error);
	if (status == ABUT_OK) {
		*added = abut_max(hull.volume - a->volume - b->volume, 0.0);
	}
	abut_hull_outline_free(&hull);
	return status;
}

/* The pair that adds least, measuring those not known. False in *found when none is left. */
static AbutStatus best_pair(const AbutPieceList *list, const Pairs *pairs, double limit, int *best_i, int *best_j,
                            bool *found, AbutError *error)
{
	double best = HUGE_VAL;
	*found = false;
	for (int i = 0; i < list->n; i++) {
		for (int j = i + 1; j < list->n; j++) {
			double *const added = added_at(pairs, i, j);
			if (*added < 0.0) {
				const AbutStatus status = measure_pair(list, i, j, limit, added, error);
				if (status != ABUT_OK) {
					return status;
				}
			}
			if (*added < best) {
				best = *added;
				*best_i = i;
				*best_j = j;
				*found = true;
			}
		}
	}
	return ABUT_OK;
}

/* The solids of both pieces in one list, which owns none of them. */
static bool list_solids(const AbutPiece *a, const AbutPiece *b, AbutSolidList *out)
{
	out->n = out->capacity = a->solids.n + b->solids.n;
	out->items = malloc((size_t)out->n * sizeof *out->items);
	if (out->items) {
		memcpy(out->items, a->solids.items, (size_t)a->solids.n * sizeof *out->items);
		memcpy(out->items + a->solids.n, b->solids.items, (size_t)b->solids.n * sizeof *out->items);
	}
	return out->items;
}

/* Makes pieces i < j one, at i, when the concavity allows it; the last piece takes the place of j. */
static AbutStatus merge_pair(AbutPieceList *list, int i, int j, const AbutDecomposeLengths *lengths, double limit,
                             bool *merged, AbutError *error)
{
	AbutPiece *a = &list->items[i], *b = &list->items[j];
	AbutPiece joined = {.volume = a->volume + b->volume};
	AbutStatus status = join_hulls(&a->hull, &b->hull, &joined.hull, error);
	if (status == ABUT_OK && !list_solids(a, b, &joined.solids)) {
		status = abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory to merge pieces");
	}
	if (status == ABUT_OK) {
		status = abut_piece_measure(&joined, lengths, limit, error);
	}
	*merged = status == ABUT_OK && abut_piece_concavity(&joined) <= limit;
	AbutPiece *const pieces[2] = {a, b};
	if (*merged) {
		for (int k = 0; k < 2; k++) {
			pieces[k]->solids.n = 0; /* joined has them */
			abut_piece_free(pieces[k]);
		}
		*a = joined;
		*b = list->items[--list->n];
	} else {
		joined.solids.n = 0;
		abut_piece_free(&joined);
	}
	return status;
}

/* After a merger at i that moved the last piece, of index `last`, to j. */
static void forget(const Pairs *pairs, int n, int i, int j, int last)
{
	for (int k = 0; k < n; k++) {
		if (k != j && j < n) {
			*added_at(pairs, j, k) = *added_at(pairs, last, k);
		}
	}
	for (int k = 0; k < n; k++) {
		if (k != i) {
			*added_at(pairs, i, k) = -1.0;
		}
	}
}

/* Merges until no pair is left whose concavity is within `limit`, or `fewest` pieces. */
static AbutStatus merge_pairs(AbutPieceList *list, const Pairs *pairs, const AbutDecomposeLengths *lengths,
                              double limit, int fewest, AbutError *error)
{
	for (size_t i = 0; i < (size_t)pairs->stride * (size_t)pairs->stride; i++) {
		pairs->added[i] = -1.0;
	}
	while (list->n > fewest) {
		int i = 0, j = 0;
		bool found = false, merged = false;
		AbutStatus status = best_pair(list, pairs, limit, &i, &j, &found, error);
		if (status != ABUT_OK || !found) {
			return status;
		}
		status = merge_pair(list, i, j, lengths, limit, &merged, error);
		if (status != ABUT_OK) {
			return status;
		}
		if (merged) {
			forget(pairs, list->n, i, j, list->n);
		} else {
			*added_at(pairs, i, j) = HUGE_VAL;
		}
	}
	return ABUT_OK;
}

AbutStatus abut_pieces_merge(AbutPieceList *list, const AbutDecomposeLengths *lengths, int most, AbutError *error)
{
	const size_t n = (size_t)list->n;
	const Pairs pairs = {list->n, calloc(n * n + 1, sizeof *pairs.added)};
	if (!pairs.added) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the pairs of %d pieces", list->n);
	}
	AbutStatus status = merge_pairs(list, &pairs, lengths, lengths->bound, 1, error);
	if (status == ABUT_OK && list->n > most) {
		status = merge_pairs(list, &pairs, lengths, HUGE_VAL, most, error);
	}
	free(pairs.added);
	return status;
}
