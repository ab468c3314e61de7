/* Copies the solutions of all islands from the workspace to the state. */
#include "dynamics/step/commit.h"

#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/sensor/measure.h"
#include "dynamics/state/memory.h"
#include "dynamics/state/state.h"

/* Appends a candidate's memory to the state's store, for the next step. */
static void commit_memory(const AbutWorkspace *w, int index, AbutContactStore *to)
{
	const AbutContactMemory *from = &w->pairs.store.entries[index];
	const bool solved = from->solved && w->pairs.candidates[index].solved;
	if (!solved && abut_norm3(from->normal) == 0.0) {
		return; /* separated along the line of centres, which needs no memory */
	}
	AbutContactMemory *entry =
	    abut_contact_store_add(to, from->part, solved ? from->n_y : 0, solved ? from->n_z : 0);
	memcpy(entry->normal, from->normal, sizeof entry->normal);
	entry->solved = solved;
	entry->alpha = from->alpha;
	memcpy(&to->y[entry->y], &w->pairs.store.y[from->y], (size_t)entry->n_y * sizeof(double));
	memcpy(&to->z[entry->z], &w->pairs.store.z[from->z], (size_t)entry->n_z * sizeof(double));
}

AbutStatus abut_step_commit(const AbutModel *model, AbutState *state, AbutWorkspace *w)
{
	AbutContactStore *store = &state->store;
	ABUT_TRY(abut_contact_store_reserve(store, w->pairs.store.n, w->pairs.store.n_y, w->pairs.store.n_z));
	abut_contact_store_clear(store);
	for (int k = 0; k < w->pairs.n_candidates; k++) {
		commit_memory(w, w->pairs.by_key[k], store);
	}
	w->n_reported = 0;
	for (int k = 0; k < w->pairs.n_active; k++) {
		if (w->pairs.candidates[w->pairs.active[k]].solved) {
			w->pairs.active[w->n_reported++] = w->pairs.active[k];
		}
	}
	if (model->sensors.n_kept > 0) {
		abut_sensors_measure(model,
		                     &(AbutSensorStep){.before = state->motion,
		                                       .after = w->motion,
		                                       .loads = w->loads,
		                                       .n_contacts = w->n_reported,
		                                       .active = w->pairs.active,
		                                       .contacts = w->results},
		                     state->measured);
	}
	for (int i = 0; i < model->n_moving; i++) {
		const int body = model->moving_body[i];
		state->motion[body] = w->motion[body];
	}
	memcpy(state->joints, w->joints, (size_t)model->joints.n * sizeof *state->joints);
	memcpy(state->couplings, w->couplings, (size_t)model->joints.n_couplings * sizeof *state->couplings);
	return ABUT_OK;
}
