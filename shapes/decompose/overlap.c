/* Computes the volume of the intersection of two convex hulls. */
#include "shapes/decompose/overlap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/decompose/piece.h"
#include "shapes/hull/halfspaces.h"

/* Returns whether b lies outside a face plane of a, up to `slack` (m). */
static bool parted_by_face(const AbutHullOutline *a, const AbutHullOutline *b, double slack)
{
	for (int i = 0; i < a->n_planes; i++) {
		const double *plane = &a->planes[4 * (size_t)i];
		double lowest = HUGE_VAL;
		for (int k = 0; k < b->n_points; k++) {
			lowest = abut_min(lowest, abut_dot3(plane, &b->points[3 * (size_t)k]));
		}
		if (lowest >= plane[3] - slack) {
			return true;
		}
	}
	return false;
}

static void copy_planes(const AbutHullOutline *hull, int at, double *rows, double *offsets)
{
	for (int i = 0; i < hull->n_planes; i++) {
		abut_copy3(&hull->planes[4 * (size_t)i], &rows[3 * (size_t)(at + i)]);
		offsets[at + i] = hull->planes[4 * (size_t)i + 3];
	}
}

AbutStatus abut_hull_overlap(const AbutHullOutline *a, const AbutHullOutline *b, double slack, double *volume,
                             AbutError *error)
{
	*volume = 0.0;
	if (parted_by_face(a, b, slack) || parted_by_face(b, a, slack)) {
		return ABUT_OK;
	}
	const int m = a->n_planes + b->n_planes;
	double *rows = malloc((size_t)m * 4 * sizeof *rows), *vertices = NULL;
	if (!rows) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for %d halfspaces", m);
	}
	double *offsets = rows + 3 * (size_t)m;
	copy_planes(a, 0, rows, offsets);
	copy_planes(b, a->n_planes, rows, offsets);
	int n = 0;
	AbutHullOutline both;
	/* Halfspaces with an empty or flat intersection are refused; the volume is then 0. */
	AbutStatus status = abut_halfspaces_vertices(m, rows, offsets, &n, &vertices, error);
	if (status == ABUT_OK) {
		status = abut_hull_outline(n, vertices, &both, error);
		*volume = both.volume;
		abut_hull_outline_free(&both);
	}
	free(vertices);
	free(rows);
	return status == ABUT_ERROR_MEMORY ? status : ABUT_OK;
}
