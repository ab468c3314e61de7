/* The outer problem of the bilevel path (dynamics/methods/bilevel/bilevel.h), as the solver sees it. */
#ifndef DYNAMICS_METHODS_BILEVEL_PROBLEM_H
#define DYNAMICS_METHODS_BILEVEL_PROBLEM_H

#include "dynamics/island/island.h"

typedef struct AbutBilevel {
	double kappa;      /* of the collision problems */
	AbutIterate outer; /* iterate of the solver */
	AbutCone *cones;   /* (n_cones of the single-level problem) of gamma and friction */
	double *s;         /* (n_z of the single-level problem) slacks of the collision problems */
} AbutBilevel;

static inline AbutBilevel *abut_bilevel_of(const AbutIsland *island)
{
	return island->method;
}

/* Returns the outer problem of the island, with the island's iterate in `outer`. */
AbutNcp abut_bilevel_begin(AbutIsland *island);
/* Completes the island's iterate, which abut_bilevel_begin's problem has left evaluated at the solver's end. */
void abut_bilevel_end(AbutIsland *island);

#endif
