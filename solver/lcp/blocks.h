/* Block pivots: many rows change their sets at once. */
#ifndef SOLVER_LCP_BLOCKS_H
#define SOLVER_LCP_BLOCKS_H

#include <stdbool.h>

#include "solver/lcp/problem.h"

/* Lets all rows in a wrong set change it at once. `problem` must be strictly convex; its bounds are those in the room.
 * Returns true if x, w, the sets and the factor are those of the solution. Otherwise they are a start for Dantzig's
 * method: the rows that have entered are complementary, the others within their bounds. `pivots` counts changes. */
typedef enum AbutBoxedStart {
	ABUT_BOXED_FRICTIONLESS, /* only rows of normals, all clamped */
	ABUT_BOXED_FROM_GUESS,   /* the problem's guess; without one, all clamped */
	ABUT_BOXED_FROM_SETS     /* the sets in the room */
} AbutBoxedStart;
bool abut_boxed_lcp_blocks(const AbutBoxedLcp *problem, AbutBoxedRoom *room, AbutBoxedStart start, double idle,
                           int *pivots);

#endif
