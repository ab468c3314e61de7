/* Solves a boxed problem by block pivots: many rows change their sets at once. */
#pragma once

#include <stdbool.h>

#include "solver/lcp/problem.h"

typedef enum AbutBoxedStart {
	ABUT_BOXED_FRICTIONLESS, /* starts with the normal rows alone, all clamped */
	ABUT_BOXED_FROM_GUESS,   /* starts with the problem's guess; without one, all are clamped */
	ABUT_BOXED_FROM_SETS     /* starts with the sets in the room */
} AbutBoxedStart;

/* Solves a strictly convex problem, whose bounds are those in the room. In each round, all rows whose x is out of its
 * bounds, or whose w has the wrong sign, change their sets. Rows with a diagonal entry of at most `idle` stay idle.
 * Returns true if x, w, the sets and the factor are those of the solution. Otherwise they are a start for Dantzig's
 * method: rows that have entered are complementary, and the others are within their bounds. Adds the number of changes
 * to `pivots`. */
bool abut_boxed_lcp_blocks(const AbutBoxedLcp *problem, AbutBoxedRoom *room, AbutBoxedStart start, double idle,
                           int *pivots);
