/* The derivative of an edge between bodies (a contact or a point of contact) as one matrix. It gives the wrenches on
 * its bodies by their next poses and velocities, by the numbers that the regularised equations hold, and by
 * parameters. */
#ifndef DYNAMICS_GRADIENT_EDGE_MAP_H
#define DYNAMICS_GRADIENT_EDGE_MAP_H

#include "base/arena.h"
#include "base/lanes.h"

enum { ABUT_MAP_SIDE = 6 };

/* Rows: the wrench (force, torque) on each moving side, with its sign; then the n_held numbers. Columns: by the next
 * pose of each side (displacement, small turn); by its (v+, w+), including the pose that follows; by the n_held
 * numbers; by parameters of the model. */
typedef struct AbutEdgeMap {
	int n_sides;      /* moving sides: 1 or 2 */
	int body[2];      /* among the part's */
	int n_held, held; /* how many, and the first of them among the part's */
	int n_parameters;
	int *parameters;  /* (n_parameters) indices into the requested list of parameters */
	int stride;       /* of a row of `at`, a multiple of ABUT_LANES */
	double *at;       /* row-major */
	double by_before; /* method convex: ratio of wrenches by the velocities at the start to those by v+, w+ */
} AbutEdgeMap;

/* Returns the number of rows. */
static inline int abut_map_rows(const AbutEdgeMap *map)
{
	return ABUT_MAP_SIDE * map->n_sides + map->n_held;
}

/* Return the first column by velocities, by held numbers and by parameters; columns by poses come first. */
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

/* Carves the matrix of an edge whose sides, held numbers and parameters are known. */
void abut_edge_map_carve(AbutArena *arena, AbutEdgeMap *out);

#endif
