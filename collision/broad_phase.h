/* Finds which of many boxes may meet: sweep and prune along x inside the cells of a grid over y and z that follows the
 * boxes. The order along x is kept between calls, so that slow motion costs one pass over it. */
#ifndef COLLISION_BROAD_PHASE_H
#define COLLISION_BROAD_PHASE_H

#include <stdbool.h>
#include <stddef.h>

/* A box along the world's axes. A box whose lower ends exceed its upper ends meets no other. */
typedef struct AbutBounds {
	double lower[3], upper[3];
} AbutBounds;

/* The first and last cell along y and z that a box covers. */
typedef struct AbutCells {
	int first[2], last[2];
} AbutCells;

typedef struct AbutBroadPhase {
	int n;            /* boxes */
	int *order;       /* (n) by their lower ends along x */
	AbutCells *cells; /* (n) */
	int *first;       /* (most cells + 1) start of each cell in `entries` */
	int *entries;     /* boxes by cell, in each cell by lower ends */
	int *large;       /* (n) boxes that cover too many cells */
} AbutBroadPhase;

/* Returns the bytes of memory for n boxes; abut_broad_phase_begin places the arrays there. */
size_t abut_broad_phase_size(int n);
void abut_broad_phase_begin(AbutBroadPhase *phase, int n, void *memory);

/* Called once for each pair of overlapping boxes, first < second. */
typedef void AbutMeet(void *context, int first, int second);

void abut_broad_phase_run(AbutBroadPhase *phase, const AbutBounds *bounds, AbutMeet *meet, void *context);

#endif
