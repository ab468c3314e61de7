/* Creates pieces, which are solids with a common hull, and measures their concavity. */
#include "shapes/decompose/piece.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/vec3.h"
#include "shapes/decompose/depth.h"
#include "shapes/decompose/distance.h"

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
		abut_solid_depth(piece->solids.items[i], &piece->hull, lengths->tolerance, enough, &piece->depth,
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
