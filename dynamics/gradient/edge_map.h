/* Stores the derivative of an edge between bodies (a contact, a point of contact, a joint or a coupling) as one matrix.
 * The matrix gives the wrenches on the bodies. It multiplies changes of their next poses and velocities, of the numbers
 * that the regularised equations hold, and of parameters. */
#pragma once

#include "base/arena.h"
#include "base/lanes.h"

enum { ABUT_MAP_SIDE = 6, ABUT_MAP_SIDES = 4 };

/* The matrix of an edge. Rows: the wrench (impulse, angular impulse) on each moving side, with its sign; then the
 * n_held held numbers. Columns, in this order: the next pose of each side (displacement, small turn); its (v+, w+),
 * including their effect on the next pose; the n_held held numbers; parameters of the model. */
typedef struct AbutEdgeMap {
	int n_sides;              /* moving sides: 1 or 2; up to ABUT_MAP_SIDES of a coupling */
	int body[ABUT_MAP_SIDES]; /* among the part's */
	int n_held, held;         /* count, and index of the first among the part's held numbers */
	int n_parameters;
	int *parameters;  /* (n_parameters) indices into the requested list of parameters */
	int stride;       /* length of a row of `at`, a multiple of ABUT_LANES */
	double *at;       /* row-major */
	double by_before; /* method convex: ratio of d wrench / d(v, w at the start) to d wrench / d(v+, w+) */
	/* (n_held) method lcp: whether the number is an impulse of friction, which goes to its bound where joints hold
	 * its row. The numbers of such an edge belong to no node (nodes.h). NULL: of other methods. */
	bool *yields;
	double *held_by_before; /* (n_held) method lcp: the same ratio of each held number's row; NULL: 0 */
} AbutEdgeMap;

/* Returns the number of rows. */
static inline int abut_map_rows(const AbutEdgeMap *map)
{
	return ABUT_MAP_SIDE * map->n_sides + map->n_held;
}

/* Return the first column of velocities, of held numbers and of parameters. The columns of poses begin at 0. */
static inline int abut_map_by_velocity(const AbutEdgeMap *map)
{
	return ABUT_MAP_SIDE * map->n_sides;
}

static inline int abut_map_by_held(const AbutEdgeMap *map)
{
	return 2 * ABUT_MAP_SIDE * map->n_sides;
}

static inline int abut_map_by_parameter(const AbutEdgeMap *map)
{
	return abut_map_by_held(map) + map->n_held;
}

/* Returns the side that a body is; -1: none. */
static inline int abut_map_side_of(const AbutEdgeMap *map, int body)
{
	for (int s = 0; s < map->n_sides; s++) {
		if (map->body[s] == body) {
			return s;
		}
	}
	return -1;
}

/* Returns the row of a held number. */
static inline const double *abut_map_held_row(const AbutEdgeMap *map, int row)
{
	return &map->at[(ABUT_MAP_SIDE * map->n_sides + row) * map->stride];
}

/* Adds a parameter to the list of those on which the edge depends; only counts it if the arena has no memory. */
static inline void abut_edge_map_add_parameter(const AbutArena *arena, int parameter, AbutEdgeMap *out)
{
	if (arena->base) {
		out->parameters[out->n_parameters] = parameter;
	}
	out->n_parameters++;
}

/* Carves the matrix of an edge whose sides, held numbers and parameters are known. */
static inline void abut_edge_map_carve(AbutArena *arena, AbutEdgeMap *out)
{
	const int width = abut_map_by_parameter(out) + out->n_parameters;
	out->stride = (width + ABUT_LANES - 1) / ABUT_LANES * ABUT_LANES;
	out->at = abut_arena_take(arena, (size_t)abut_map_rows(out) * (size_t)out->stride, sizeof(double));
}
