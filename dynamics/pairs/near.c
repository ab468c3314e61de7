/* Allocates the memory of the pairs that are near each other. */
#include "dynamics/pairs/near.h"

#include <stdlib.h>

#include "base/grow.h"

AbutStatus abut_near_pairs_reserve(AbutNearPairs *pairs, int candidates)
{
	const AbutGrown arrays[] = {{&pairs->candidates, sizeof *pairs->candidates},
	                            {&pairs->by_key, sizeof *pairs->by_key},
	                            {&pairs->active, sizeof *pairs->active},
	                            {&pairs->store.entries, sizeof *pairs->store.entries}};
	if (candidates <= pairs->capacity) {
		return ABUT_OK;
	}
	if (!abut_grow_together(arrays, 4, &pairs->capacity, candidates)) {
		return ABUT_ERROR_MEMORY;
	}
	pairs->store.capacity = pairs->capacity;
	return ABUT_OK;
}

AbutStatus abut_near_pairs_begin(AbutNearPairs *pairs, const AbutRoom *room)
{
	if (abut_near_pairs_reserve(pairs, room->contacts) != ABUT_OK ||
	    !abut_grow(&pairs->met, &pairs->capacity_met, room->contacts, sizeof *pairs->met)) {
		return ABUT_ERROR_MEMORY;
	}
	return abut_contact_store_reserve(&pairs->store, room->contacts, room->n_y, room->n_z);
}

void abut_near_pairs_destroy(AbutNearPairs *pairs)
{
	abut_contact_store_destroy(&pairs->store);
	free(pairs->candidates);
	free(pairs->by_key);
	free(pairs->active);
	free(pairs->met);
}
