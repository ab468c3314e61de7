/* Loads the stored solution from which a contact starts. */
#include "dynamics/step/load.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/state/memory.h"
#include "dynamics/state/state.h"
#include "dynamics/step/workspace.h"

void abut_step_load_memory(const AbutState *state, AbutWorkspace *w, int index)
{
	const AbutContactStore *from = &state->store;
	AbutContactStore *to = &w->pairs.store;
	AbutCandidate *candidate = &w->pairs.candidates[index];
	AbutContactMemory *entry = &to->entries[index];
	candidate->solved = entry->solved = false;
	if (candidate->source < 0) {
		return;
	}
	const AbutContactMemory *source = &from->entries[candidate->source];
	abut_copy3(source->normal, entry->normal);
	if (source->solved) {
		entry->solved = true;
		entry->alpha = source->alpha;
		memcpy(&to->y[entry->y], &from->y[source->y], (size_t)entry->n_y * sizeof(double));
		memcpy(&to->z[entry->z], &from->z[source->z], (size_t)entry->n_z * sizeof(double));
	}
}
