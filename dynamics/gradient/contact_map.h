/* Computes the matrix of a contact between cone constraints from its linearised equations. */
#pragma once

#include "dynamics/gradient/contact_linear.h"
#include "dynamics/gradient/edge_map.h"

/* A held number of the regularised laws (dynamics/gradient/solve.c). Without `unknown` it is dual `first` of the
 * contact (dim 1), or the component of `dim` duals along a ray (dim > 1). With `unknown` it is a collision unknown.
 * `first` 0 or 1 is then the contact point's coordinate along that tangent, and `first` from 4 on an entry of eps. */
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
