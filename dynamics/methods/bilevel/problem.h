/* Presents the outer problem of method bilevel (dynamics/methods/bilevel/bilevel.h) to the solver. */
#pragma once

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

/* Returns the outer problem of the island, and copies the island's iterate to AbutBilevel.outer. */
AbutNcp abut_bilevel_begin(AbutIsland *island);
/* Copies the slacks to the island's iterate; the other unknowns are there since the solver's last evaluation. */
void abut_bilevel_end(AbutIsland *island);
