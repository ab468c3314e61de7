/* Finds the pairs of overlapping boxes among many, by sweep and prune along x inside the cells of a grid over y and z.
 * The grid follows the boxes. The order along x is kept between calls; if the boxes move slowly, sorting takes one pass
 * over it. */
#pragma once

#include <stddef.h>

/* A box along the world's axes. A box with a lower end that is not below its upper end overlaps no other. */
typedef struct AbutBounds {
	double lower[3], upper[3];
} AbutBounds;

/* The first and the last cell that a box covers, along y and z. */
typedef struct AbutCells {
	int first[2], last[2];
} AbutCells;

typedef struct AbutBroadPhase {
	int n;            /* number of boxes */
	int *order;       /* (n) boxes in ascending order of their lower ends along x */
	AbutCells *cells; /* (n) */
	int *first;       /* (largest number of cells + 1) start of each cell in `entries` */
	int *entries;     /* the boxes of each cell, in ascending order of their lower ends */
	int *large;       /* (n) boxes that cover too many cells */
} AbutBroadPhase;

/* abut_broad_phase_size returns the bytes of memory needed for n boxes; abut_broad_phase_begin places the arrays there.
 */
size_t abut_broad_phase_size(int n);
void abut_broad_phase_begin(AbutBroadPhase *phase, int n, void *memory);

/* Called once for each pair of overlapping boxes, first < second. */
typedef void AbutMeet(void *context, int first, int second);

void abut_broad_phase_run(AbutBroadPhase *phase, const AbutBounds *bounds, AbutMeet *meet, void *context);
