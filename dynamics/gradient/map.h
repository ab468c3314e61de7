/* A contact at a solution as one matrix: wrenches on its bodies by their next poses and velocities, by what the
 * regularised equations hold, and by parameters. */
#ifndef DYNAMICS_GRADIENT_MAP_H
#define DYNAMICS_GRADIENT_MAP_H

#include "base/arena.h"
#include "base/lanes.h"
#include "dynamics/gradient/contact_linear.h"

enum { ABUT_MAP_SIDE = 6 };

/* Rows: the wrench (force, torque) on each side that moves, with its sign; then n_held numbers that are to be what they
 * are held at. Columns: by the next pose of each side (displacement, small turn); by its (v+, w+), with the pose that
 * follows from them; by the n_held numbers; by parameters of the model. */
typedef struct AbutContactMap {
	int n_sides;      /* that move: 1 or 2 */
	int body[2];      /* among the part's */
	int n_held, held; /* how many, and the first of them among the part's */
	int n_parameters;
	int *parameters;  /* (n_parameters) places among those that are asked for */
	int stride;       /* of a row of `at`, a multiple of ABUT_LANES */
	double *at;       /* row-major */
	double by_before; /* method convex: wrenches by the velocities at the start are so many times those by v+, w+ */
} AbutContactMap;

static inline int abut_map_rows(const AbutContactMap *map)
{
	return ABUT_MAP_SIDE * map->n_sides + map->n_held;
}

/* First columns by velocities, and by what is held; those by poses come first. */
static inline int abut_map_by_velocity(const AbutContactMap *map)
{
	return ABUT_MAP_SIDE * map->n_sides;
}

static inline int abut_map_by_held(const AbutContactMap *map)
{
	return 2 * ABUT_MAP_SIDE * map->n_sides;
}

static inline int abut_map_by_parameter(const AbutContactMap *map)
{
	return abut_map_by_held(map) + map->n_held;
}

/* A number that is held: an entry of the law's duals, their part along a ray (dim > 1), or of the collision unknowns
 * (`unknown`) the point along tangent `first` (0, 1), or unknown `first` (4 on: eps). */
typedef struct AbutHeldNumber {
	int first, dim;
	bool unknown;
} AbutHeldNumber;

/* Most of them that a contact may have. */
int abut_contact_map_most_held(const AbutContactLinear *linear);
/* Those that it has, once it has been made linear; answers how many. */
int abut_contact_map_list_held(const AbutContactLinear *linear, AbutHeldNumber *out);

/* What is asked of a contact's matrix. */
typedef struct AbutContactMapAsk {
	const AbutModel *model;
	double timestep;
	int n_parameters; /* of which the contact has some */
	const AbutParameter *parameters;
	const double *y, *z; /* the contact's own, at the solution */
	int n_held;
	const AbutHeldNumber *held;
} AbutContactMapAsk;

/* The matrix of a map whose sides, held numbers and parameters are known, of any method. */
void abut_contact_map_carve_columns(AbutArena *arena, AbutContactMap *out);

/* Sizes, and memory from the arena; then the matrix. */
void abut_contact_map_carve(const AbutContactLinear *linear, const AbutContactMapAsk *ask, AbutArena *arena,
                            AbutContactMap *out);
void abut_contact_map_fill(AbutContactLinear *linear, const AbutContactMapAsk *ask, AbutContactMap *out);

#endif
