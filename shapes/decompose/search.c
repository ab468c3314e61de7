/* Chooses the plane that cuts a piece.
 *
 * The cost of a plane estimates the work that remains: the sum of sqrt((H - V) H) over the children, where V is the
 * volume of a child and H that of its hull. It is zero if all children are convex. It is smaller for one convex child
 * and one as concave as the piece than for two half as concave. Candidate planes are tried on a coarse copy of the
 * solid. The best one is then shifted along its normal. */
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
	COARSE_TRIANGLES = 1200, /* about this many triangles in the coarse copy */
	MOVES = 5,               /* shifts of the best plane; each is half as long as the one before */
};

/* The cost also contains CHILD_COST for each child, and BALANCE_COST times the largest hull of a child, relative to the
 * hull of the solid. Both were chosen for few parts and a small error on a torus, a wheel and a hollow ball. On two of
 * these, other choices were worse: CHILD_COST 0.02, BALANCE_COST 0.4, and H - V or its cube root instead of sqrt((H -
 * V) H). */
#define CHILD_COST 0.01
#define BALANCE_COST 0.2

typedef struct Trial {
	const AbutSolid *solid;
	double hull_volume; /* volume of the hull of the piece, m^3 */
	const AbutDecomposeLengths *lengths;
} Trial;

/* Computes the cost of a plane; HUGE_VAL if it does not cut the solid. Returns false when out of memory. */
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
