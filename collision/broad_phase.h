/* Which of many boxes may meet: sweep and prune along one axis, the order of the last call being the start of the next,
 * so that slow motion costs little more than reading the boxes once. */
#ifndef COLLISION_BROAD_PHASE_H
#define COLLISION_BROAD_PHASE_H

#include <stdbool.h>

/* Along the world's axes. A box whose lower ends are above its upper ones meets nobody. */
typedef struct AbutBounds {
	double lower[3], upper[3];
} AbutBounds;

/* Called once for each pair of boxes that overlap, first < second. */
typedef void AbutMeet(void *context, int first, int second);

/* `order` (n) holds a permutation of 0..n-1 and is left sorted by the boxes' lower ends along x. */
void abut_broad_phase(int n, const AbutBounds *bounds, int *order, AbutMeet *meet, void *context);

#endif
