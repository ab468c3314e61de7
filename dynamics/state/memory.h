/* The memory of contacts from step to step: the last solution, or the direction that separated the two parts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abut/status.h"

typedef struct AbutContactMemory {
	int part[2]; /* key: indices into AbutModel.parts, ascending */
	bool solved; /* alpha, y and z hold a last solution; otherwise only the normal is valid, unless it is zero */
	int n_y, n_z;
	int y, z;         /* first entries in the store's y and z */
	double normal[3]; /* of the last solution, from side 0 to side 1; world */
	double alpha;     /* scaling of the last solution */
} AbutContactMemory;

typedef struct AbutContactStore {
	int n, n_y, n_z;                      /* numbers in use: entries, and numbers in y and z */
	int capacity, capacity_y, capacity_z; /* numbers for which memory is reserved */
	AbutContactMemory *entries;           /* (n) */
	double *y, *z;                        /* (n_y), (n_z) in model units, for impulse scale 1 */
} AbutContactStore;

/* Reserves memory for n entries and n_y, n_z numbers; keeps the present contents. Allocates only if the memory is too
 * small, and then more than needed. */
AbutStatus abut_contact_store_reserve(AbutContactStore *store, int n, int n_y, int n_z);
void abut_contact_store_destroy(AbutContactStore *store);
void abut_contact_store_clear(AbutContactStore *store);
AbutStatus abut_contact_store_copy(const AbutContactStore *from, AbutContactStore *to);
/* Appends an unsolved entry for the key, with n_y and n_z numbers. Their memory must be reserved already. */
AbutContactMemory *abut_contact_store_add(AbutContactStore *store, const int part[2], int n_y, int n_z);
