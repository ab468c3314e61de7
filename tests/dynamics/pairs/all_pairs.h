/* A step without pruning: it solves for every pair of parts that may touch, at any distance. Tests compare the pruning
 * of dynamics/pairs/candidates.c with it. */
#pragma once

#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "dynamics/model/key.h"
#include "dynamics/pairs/islands.h"
#include "dynamics/state/memory.h"
#include "dynamics/state/state.h"
#include "dynamics/step/advance.h"
#include "dynamics/step/commit.h"
#include "dynamics/step/gather.h"
#include "dynamics/step/workspace.h"

/* Returns the index of the key's entry in the state's store, or -1 if there is none. */
static inline int all_pairs_source(const AbutContactStore *store, const int part[2])
{
	for (int i = 0; i < store->n; i++) {
		if (abut_compare_keys(store->entries[i].part, part) == 0) {
			return i;
		}
	}
	return -1;
}

/* Replaces abut_pairs_find. */
static inline void all_pairs_candidates(const AbutModel *model, const AbutState *state, AbutWorkspace *w)
{
	cr_assert_eq(abut_near_pairs_reserve(&w->pairs, (int)model->pairing.n_pairs), ABUT_OK);
	abut_contact_store_clear(&w->pairs.store);
	w->pairs.n_candidates = w->pairs.n_active = 0;
	for (int first = 0; first < model->n_parts; first++) {
		for (int second = first + 1; second < model->n_parts; second++) {
			const int part[2] = {first, second}, n = w->pairs.n_candidates;
			AbutPair pair;
			if (!abut_pair_make(model, first, second, &pair)) {
				continue;
			}
			cr_assert_eq(abut_contact_store_reserve(&w->pairs.store, n + 1, w->pairs.store.n_y + pair.n_y,
			                                        w->pairs.store.n_z + pair.n_z),
			             ABUT_OK);
			AbutContactMemory *entry = abut_contact_store_add(&w->pairs.store, part, pair.n_y, pair.n_z);
			const int source = all_pairs_source(&state->store, part);
			if (source >= 0) {
				abut_copy3(state->store.entries[source].normal, entry->normal);
			}
			w->pairs.candidates[n] = (AbutCandidate){.pair = pair, .active = true, .source = source};
			w->pairs.by_key[n] = w->pairs.active[n] = n;
			w->pairs.n_candidates = w->pairs.n_active = n + 1;
		}
	}
	cr_assert_eq(w->pairs.n_candidates, model->pairing.n_pairs);
}

static inline AbutIslandSize all_pairs_largest(const AbutWorkspace *w)
{
	AbutIslandSize size = {.n_bodies = 1};
	for (int i = 0; i < w->partition.n_islands; i++) {
		size = abut_island_size_max(&size, &w->partition.members[i].size);
	}
	return size;
}

/* Takes a step. In `info`, sets outcome, exact and halvings to the worst of all islands. A failed step leaves the state
 * unchanged. */
static inline void all_pairs_step(const AbutModel *model, AbutState *state, AbutWorkspace *w, AbutStepInfo *info)
{
	abut_step_gather(model, state, w, model->timestep);
	all_pairs_candidates(model, state, w);
	abut_partition_make(model, &w->pairs, w->bodies, &w->partition);
	const AbutIslandSize size = all_pairs_largest(w);
	cr_assert_eq(abut_island_reserve(model, &w->islands[0], &size), ABUT_OK);
	*info = (AbutStepInfo){.outcome = ABUT_OUTCOME_EXACT, .exact = true};
	for (int i = 0; i < w->partition.n_islands; i++) {
		const AbutStepInfo *own = &w->partition.members[i].info;
		abut_step_advance(model, state, w, NULL, &w->partition.members[i], &w->islands[0]);
		info->outcome = own->outcome > info->outcome ? own->outcome : info->outcome;
		info->exact = info->exact && own->exact;
		info->halvings = own->halvings > info->halvings ? own->halvings : info->halvings;
	}
	if (info->outcome != ABUT_OUTCOME_FAILED) {
		cr_assert_eq(abut_step_commit(model, state, w), ABUT_OK);
	}
}
