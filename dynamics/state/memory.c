/* Allocates the memory of contacts from step to step. */
#include "dynamics/state/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

AbutStatus abut_contact_store_reserve(AbutContactStore *store, int n, int n_y, int n_z)
{
	const int spare = n > 0 ? 1 : 0; /* at least one number, so that no array is NULL if there are entries */
	const bool fits = abut_grow(&store->entries, &store->capacity, n, sizeof *store->entries) &&
	                  abut_grow(&store->y, &store->capacity_y, n_y + spare, sizeof *store->y) &&
	                  abut_grow(&store->z, &store->capacity_z, n_z + spare, sizeof *store->z);
	return fits ? ABUT_OK : ABUT_ERROR_MEMORY;
}

void abut_contact_store_destroy(AbutContactStore *store)
{
	free(store->entries);
	free(store->y);
	free(store->z);
	memset(store, 0, sizeof *store);
}

void abut_contact_store_clear(AbutContactStore *store)
{
	store->n = store->n_y = store->n_z = 0;
}

AbutStatus abut_contact_store_copy(const AbutContactStore *from, AbutContactStore *to)
{
	ABUT_TRY(abut_contact_store_reserve(to, from->n, from->n_y, from->n_z));
	if (from->n > 0) {
		memcpy(to->entries, from->entries, (size_t)from->n * sizeof *from->entries);
		memcpy(to->y, from->y, (size_t)from->n_y * sizeof *from->y);
		memcpy(to->z, from->z, (size_t)from->n_z * sizeof *from->z);
	}
	to->n = from->n;
	to->n_y = from->n_y;
	to->n_z = from->n_z;
	return ABUT_OK;
}

AbutContactMemory *abut_contact_store_add(AbutContactStore *store, const int part[2], int n_y, int n_z)
{
	AbutContactMemory *entry = &store->entries[store->n++];
	*entry =
	    (AbutContactMemory){.part = {part[0], part[1]}, .n_y = n_y, .n_z = n_z, .y = store->n_y, .z = store->n_z};
	store->n_y += n_y;
	store->n_z += n_z;
	return entry;
}
