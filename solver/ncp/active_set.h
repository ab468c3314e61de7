/* The active set of the semismooth Newton, where rows of neighbouring cones compete (active_set.c). */
#ifndef SOLVER_NCP_ACTIVE_SET_H
#define SOLVER_NCP_ACTIVE_SET_H

#include "solver/cones/cones.h"

/* The worst of what would change state. */
typedef struct AbutWorst {
	double slack; /* least of what would become active; 0 at most */
	double dual;  /* least of what would cease to be; 0 at most */
	int row;      /* with that slack; negative: none */
} AbutWorst;

typedef struct AbutActiveSet {
	bool *active; /* (n_z) in the last law, of cones with a block; of a second-order cone, in its head's place */
	AbutWorst *worst; /* (n_y + 1) by block; the first: of all */
} AbutActiveSet;

/* Takes the set of an exact law for the last one. */
void abut_active_set_keep(const AbutCone *cones, int n_cones, const AbutConeLaw *law, AbutActiveSet *set);

/* Leaves active only what is worst in its blocks, of an exact law just made at (z, H), and keeps that set. */
void abut_active_set_thin(const AbutCone *cones, int n_cones, const double *z, const double *H, AbutActiveSet *set,
                          AbutConeLaw *law);

#endif
