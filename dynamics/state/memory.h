/* The memory of contacts from step to step: the last solution, or the direction that separated two parts. */
#ifndef DYNAMICS_STATE_MEMORY_H
#define DYNAMICS_STATE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abut/status.h"

typedef struct AbutContactMemory {
	int part[2]; /* key: indices into AbutModel.parts, ascending */
	bool solved; /* has a last solution: alpha, y and z; otherwise only the normal, unless it is zero */
	int n_y, n_z;
	int y, z;         /* first entries in the store's y and z */
	double normal[3]; /* from side 0 to side 1, world: the direction of largest separation */
	double alpha;     /* last scaling */
} AbutContactMemory;

typedef struct AbutContactStore {
	int n, n_y, n_z;                      /* numbers in use */
	int capacity, capacity_y, capacity_z; /* numbers that fit */
	AbutContactMemory *entries;           /* (n) */
	double *y, *z;                        /* (n_y), (n_z): model units, impulse scale 1 */
} AbutContactStore;

/* Reserves memory for n entries and n_y, n_z numbers, and keeps what is in use. Allocates only if there is too little,
 * and then more than needed. */
AbutStatus abut_contact_store_reserve(AbutContactStore *store, int n, int n_y, int n_z);
void abut_contact_store_destroy(AbutContactStore *store);
void abut_contact_store_clear(AbutContactStore *store);
AbutStatus abut_contact_store_copy(const AbutContactStore *from, AbutContactStore *to);
/* Appends an unsolved entry for the key with n_y and n_z numbers, for which memory must have been reserved. */
AbutContactMemory *abut_contact_store_add(AbutContactStore *store, const int part[2], int n_y, int n_z);

#endif
