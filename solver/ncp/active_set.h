/* The active set of the semismooth Newton, in which rows of neighbouring cones compete (active_set.c). */
#ifndef SOLVER_NCP_ACTIVE_SET_H
#define SOLVER_NCP_ACTIVE_SET_H

#include "solver/cones/cones.h"

/* The worst rows that would change state. */
typedef struct AbutWorst {
	double slack; /* least slack of rows that would become active; 0 at most */
	double dual;  /* least dual of rows that would become inactive; 0 at most */
	int row;      /* row with that slack; negative: none */
} AbutWorst;

typedef struct AbutActiveSet {
	bool *active;     /* (n_z) in the last law, of cones with a block; second-order cones at their head */
	AbutWorst *worst; /* (n_y + 1) by block; the first: of all blocks */
} AbutActiveSet;

/* Stores the set of an exact law as the last one. */
void abut_active_set_keep(const AbutCone *cones, int n_cones, const AbutConeLaw *law, AbutActiveSet *set);

/* Keeps active only the worst rows of each block, for an exact law just made at (z, H), and stores that set. */
void abut_active_set_thin(const AbutCone *cones, int n_cones, const double *z, const double *H, AbutActiveSet *set,
                          AbutConeLaw *law);

#endif
