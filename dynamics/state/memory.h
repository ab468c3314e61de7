/* What contacts carry from step to step: the last solution, or the direction that kept two parts apart. */
#ifndef DYNAMICS_STATE_MEMORY_H
#define DYNAMICS_STATE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abut/status.h"

typedef struct AbutContactMemory {
	int part[2]; /* ascending, into AbutModel.parts: the key */
	bool solved; /* there is a last solution: alpha, and y and z below; otherwise the normal alone, if not zero */
	int n_y, n_z;
	int y, z;         /* first entries in the store's y and z */
	double normal[3]; /* from side 0 to side 1, world; along it the two were furthest apart */
	double alpha;     /* last scaling */
} AbutContactMemory;

typedef struct AbutContactStore {
	int n, n_y, n_z;                      /* in use */
	int capacity, capacity_y, capacity_z; /* room */
	AbutContactMemory *entries;           /* (n) */
	double *y, *z;                        /* (n_y), (n_z): model units, impulse scale 1 */
} AbutContactStore;

/* Room for as many; what is in use stays. Allocates only when there is too little, then generously. */
AbutStatus abut_contact_store_reserve(AbutContactStore *store, int n, int n_y, int n_z);
void abut_contact_store_destroy(AbutContactStore *store);
void abut_contact_store_clear(AbutContactStore *store);
AbutStatus abut_contact_store_copy(const AbutContactStore *from, AbutContactStore *to);
/* A new last entry for the key, unsolved, with room for n_y and n_z numbers, which the reserve must have made. */
AbutContactMemory *abut_contact_store_add(AbutContactStore *store, const int part[2], int n_y, int n_z);

#endif
