/* The choice of the plane that cuts a piece.
 *
 * A candidate is judged by what it leaves to do: the sum of sqrt((H - V) H) over the children, with V the volume of a
 * child and H that of its hull. It is zero if all children are convex, and prefers one finished child and one as bad as
 * before to two that are half as bad. The candidates are tried on a coarse copy of the solid; the best is then moved
 * along its normal to an even better place. */
#include "shapes/decompose/search.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/decompose/piece.h"
#include "shapes/decompose/planes.h"
#include "shapes/decompose/proxy.h"
#include "shapes/geometry/solid_split.h"

enum {
	COARSE_TRIANGLES = 1200, /* triangles of the copy */
	MOVES = 5,               /* moves of the best plane, each half as long as the last */
};

/* Cost of a child, whatever its shape, and of children of unequal size, relative to the volume of the hull. Chosen for
 * few parts and a small error on a torus, a wheel and a hollow ball. Worse on two of them: 0.02 for the child, 0.4 for
 * the balance, and, instead of sqrt((H - V) H), the volume error H - V itself or its cube root. */
#define CHILD_COST 0.01
#define BALANCE_COST 0.2

typedef struct Trial {
	const AbutSolid *solid;
	double hull_volume; /* hull volume of the solid */
	const AbutDecomposeLengths *lengths;
} Trial;

/* Computes the cost of a plane: infinite if it does not cut the solid. Returns false when out of memory. */
static bool judge(const Trial *trial, const AbutPlane *plane, double *cost)
{
	AbutSolidList children = {0};
	bool done = abut_solid_split(trial->solid, plane, trial->lengths->on_plane, &children);
	double sum = 0.0, largest = 0.0;
	int n = 0;
	for (int i = 0; i < children.n && done; i++) {
		const AbutSolid *child = children.items[i];
		AbutHullOutline hull;
		const AbutStatus status = abut_hull_outline(child->n_vertices, child->vertices, &hull, NULL);
		done = status != ABUT_ERROR_MEMORY;
		if (status == ABUT_OK) {
			sum += sqrt(abut_max(hull.volume - child->volume, 0.0) * hull.volume);
			largest = abut_max(largest, hull.volume);
			n++;
		}
		abut_hull_outline_free(&hull);
	}
	abut_solid_list_free(&children);
	*cost =
	    n < 2 ? HUGE_VAL : sum / trial->hull_volume + CHILD_COST * n + BALANCE_COST * largest / trial->hull_volume;
	return done;
}

static bool improve(const Trial *trial, AbutPlane *best, double *cost)
{
	double low = HUGE_VAL, high = -HUGE_VAL;
	for (int i = 0; i < trial->solid->n_vertices; i++) {
		const double height = abut_dot3(best->normal, &trial->solid->vertices[3 * (size_t)i]);
		low = abut_min(low, height);
		high = abut_max(high, height);
	}
	bool done = true;
	double step = (high - low) / 16.0;
	for (int move = 0; move < MOVES && done; move++, step *= 0.5) {
		const double middle = best->offset;
		for (int sense = -1; sense <= 1 && done; sense += 2) {
			AbutPlane moved = *best;
			double moved_cost;
			moved.offset = middle + sense * step;
			done = judge(trial, &moved, &moved_cost);
			if (done && moved_cost < *cost) {
				*best = moved;
				*cost = moved_cost;
			}
		}
	}
	return done;
}

static bool choose(const Trial *trial, const double deepest[3], AbutPlane *best, double *cost)
{
	AbutPlaneList planes = {0};
	bool done = abut_planes_of(trial->solid, deepest, trial->lengths->on_plane, &planes);
	*cost = HUGE_VAL;
	for (int i = 0; i < planes.n && done; i++) {
		double plane_cost;
		done = judge(trial, &planes.items[i], &plane_cost);
		if (done && plane_cost < *cost) {
			*best = planes.items[i];
			*cost = plane_cost;
		}
	}
	free(planes.items);
	return done && (*cost == HUGE_VAL || improve(trial, best, cost));
}

AbutStatus abut_piece_choose_cut(const AbutSolidPiece *piece, const AbutDecomposeLengths *lengths, AbutPlane *plane,
                                 bool *found, AbutError *error)
{
	const AbutSolid *solid = piece->solids.items[0];
	AbutSolid *coarse = NULL;
	if (solid->n_triangles > 2 * COARSE_TRIANGLES) {
		coarse = abut_solid_coarsen(solid, COARSE_TRIANGLES);
	}
	const bool use_coarse = coarse && coarse->n_triangles >= 4;
	const Trial trial = {use_coarse ? coarse : solid, piece->hull.volume, lengths};
	double cost = HUGE_VAL;
	bool done = solid->n_triangles <= 2 * COARSE_TRIANGLES || coarse;
	done = done && choose(&trial, piece->deepest, plane, &cost);
	free(coarse);
	*found = cost < HUGE_VAL;
	return done ? ABUT_OK : abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory to search for a cut");
}
