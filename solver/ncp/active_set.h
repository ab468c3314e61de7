/* Chooses the active set of the semismooth Newton method, in which rows of neighbouring cones compete (active_set.c).
 */
#pragma once

#include "solver/cones/cones.h"

/* The worst among the rows that would change their state. */
typedef struct AbutWorst {
	double slack; /* smallest slack of rows that would become active; at most 0 */
	double dual;  /* smallest dual of rows that would become inactive; at most 0 */
	int row;      /* row with this slack; negative: none */
} AbutWorst;

typedef struct AbutActiveSet {
	bool *active; /* (n_z) active rows of the last law, in cones with a block; a second-order cone is stored at its
	                 head */
	AbutWorst *worst; /* (n_y + 1) per block; entry 0: of all blocks */
} AbutActiveSet;

/* Stores the active set of an exact law. */
void abut_active_set_keep(const AbutCone *cones, int n_cones, const AbutConeLaw *law, AbutActiveSet *set);

/* Reduces the active set of an exact law that was just made at (z, H) to the rows that may stay active, and stores this
 * set. */
void abut_active_set_thin(const AbutCone *cones, int n_cones, const double *z, const double *H, AbutActiveSet *set,
                          AbutConeLaw *law);
