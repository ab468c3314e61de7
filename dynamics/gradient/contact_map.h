/* The matrix of a contact that is solved by cones, from its linear equations. */
#ifndef DYNAMICS_GRADIENT_CONTACT_MAP_H
#define DYNAMICS_GRADIENT_CONTACT_MAP_H

#include "dynamics/gradient/contact_linear.h"
#include "dynamics/gradient/edge_map.h"

/* A held number: an entry of the law's duals, or their part along a ray (dim > 1). With `unknown` it is a collision
 * unknown: the point along tangent `first` (0, 1), or unknown `first` (4 on: eps). */
typedef struct AbutHeldNumber {
	int first, dim;
	bool unknown;
} AbutHeldNumber;

/* Returns the largest number of held numbers that the contact may have. */
int abut_contact_map_most_held(const AbutContactLinear *linear);
/* Lists the held numbers of a linearised contact; returns their count. */
int abut_contact_map_list_held(const AbutContactLinear *linear, AbutHeldNumber *out);

/* Input for a contact's matrix. */
typedef struct AbutContactMapAsk {
	const AbutModel *model;
	double timestep;
	int n_parameters; /* requested parameters; the contact may depend on some of them */
	const AbutParameter *parameters;
	const double *y, *z; /* the contact's own y and z at the solution */
	int n_held;
	const AbutHeldNumber *held;
} AbutContactMapAsk;

/* Sets the sizes of the contact's matrix and carves it from the arena. */
void abut_contact_map_carve(const AbutContactLinear *linear, const AbutContactMapAsk *ask, AbutArena *arena,
                            AbutEdgeMap *out);
/* Fills the carved matrix. */
void abut_contact_map_fill(AbutContactLinear *linear, const AbutContactMapAsk *ask, AbutEdgeMap *out);

#endif
