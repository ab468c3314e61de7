/* Solves a boxed problem by block pivots: many rows change their sets at once. */
#pragma once

#include <stdbool.h>

#include "solver/lcp/problem.h"

/* abut_boxed_lcp_blocks changes the sets of all wrong rows at once until none is wrong. `problem` must be strictly
 * convex; its bounds are those in the room. Returns true if x, w, the sets and the factor are those of the solution.
 * Otherwise they are a start for Dantzig's method: rows that have entered are complementary, and the others are within
 * their bounds. Each change is added to `pivots`. */
typedef enum AbutBoxedStart {
	ABUT_BOXED_FRICTIONLESS, /* starts with the normal rows alone, all clamped */
	ABUT_BOXED_FROM_GUESS,   /* starts with the problem's guess; without one, all are clamped */
	ABUT_BOXED_FROM_SETS     /* starts with the sets in the room */
} AbutBoxedStart;
bool abut_boxed_lcp_blocks(const AbutBoxedLcp *problem, AbutBoxedRoom *room, AbutBoxedStart start, double idle,
                           int *pivots);
