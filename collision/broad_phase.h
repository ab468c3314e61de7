/* Which of many boxes may meet: sweep and prune along x inside the cells of a grid over y and z, which follows the
 * boxes. The order along x is kept from call to call, so that slow motion costs one reading of it. */
#ifndef COLLISION_BROAD_PHASE_H
#define COLLISION_BROAD_PHASE_H

#include <stdbool.h>
#include <stddef.h>

/* Along the world's axes. A box whose lower ends are above its upper ones meets nobody. */
typedef struct AbutBounds {
	double lower[3], upper[3];
} AbutBounds;

/* First and last cell along y and along z that a box covers. */
typedef struct AbutCells {
	int first[2], last[2];
} AbutCells;

typedef struct AbutBroadPhase {
	int n;            /* boxes */
	int *order;       /* (n) by their lower ends along x */
	AbutCells *cells; /* (n) */
	int *first;       /* (most cells + 1) of each cell in `entries` */
	int *entries;     /* boxes by cell, in each by lower ends */
	int *large;       /* (n) boxes that cover too many cells */
} AbutBroadPhase;

/* Bytes of memory for n boxes; abut_broad_phase_begin puts the arrays there. */
size_t abut_broad_phase_size(int n);
void abut_broad_phase_begin(AbutBroadPhase *phase, int n, void *memory);

/* Called once for each pair of boxes that overlap, first < second. */
typedef void AbutMeet(void *context, int first, int second);

void abut_broad_phase_run(AbutBroadPhase *phase, const AbutBounds *bounds, AbutMeet *meet, void *context);

#endif
