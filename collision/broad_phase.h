/* Which of many spheres may meet: sweep and prune along one axis, the order of the last call being the start of the
 * next, so that slow motion costs little more than reading the spheres once. */
#ifndef COLLISION_BROAD_PHASE_H
#define COLLISION_BROAD_PHASE_H

#include <stdbool.h>

typedef struct AbutSphere {
	double centre[3], radius;
} AbutSphere;

/* Called once for each pair of spheres that overlap, first < second. */
typedef void AbutMeet(void *context, int first, int second);

/* `order` (n) holds a permutation of 0..n-1 and is left sorted by the spheres' lower ends along x. */
void abut_broad_phase(int n, const AbutSphere *spheres, int *order, AbutMeet *meet, void *context);

#endif
