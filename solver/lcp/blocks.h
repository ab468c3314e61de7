/* Block pivots: many rows change their sets at once. */
#ifndef SOLVER_LCP_BLOCKS_H
#define SOLVER_LCP_BLOCKS_H

#include <stdbool.h>

#include "solver/lcp/problem.h"

/* Lets all rows that are in a wrong set change it at once. `problem` is strictly convex, lower and
 * upper bounds are the room's. True where x, w, the sets and the factor are those of the solution. Otherwise they are a
 * start for Dantzig's method: the rows that have entered are complementary, the others within their bounds. `pivots`
 * counts rows that change. */
typedef enum AbutBoxedStart {
	ABUT_BOXED_FRICTIONLESS, /* rows of normals alone, all clamped */
	ABUT_BOXED_FROM_GUESS,   /* the problem's, where it has one; otherwise all clamped */
	ABUT_BOXED_FROM_SETS     /* those in the room */
} AbutBoxedStart;
bool abut_boxed_lcp_blocks(const AbutBoxedLcp *problem, AbutBoxedRoom *room, AbutBoxedStart start, double idle,
                           int *pivots);

#endif
