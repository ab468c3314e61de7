/* A step with nothing left out: every pair of parts that may touch is solved for, however far apart. What the pruning
 * of dynamics/pairs/candidates.c must not change is measured against this. */
#ifndef TESTS_DYNAMICS_PAIRS_ALL_PAIRS_H
#define TESTS_DYNAMICS_PAIRS_ALL_PAIRS_H

#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "dynamics/step/step_parts.h"

/* The entry of a key in the state's store, -1 when there is none. */
static inline int all_pairs_source(const AbutContactStore *store, const int part[2])
{
	for (int i = 0; i < store->n; i++) {
		if (abut_compare_keys(store->entries[i].part, part) == 0) {
			return i;
		}
	}
	return -1;
}

/* In place of abut_step_candidates. */
static inline void all_pairs_candidates(const AbutModel *model, const AbutState *state, AbutWorkspace *w)
{
	cr_assert_eq(abut_workspace_reserve(w, (int)model->n_pairs), ABUT_OK);
	abut_contact_store_clear(&w->store);
	w->n_candidates = w->n_active = 0;
	for (int first = 0; first < model->n_parts; first++) {
		for (int second = first + 1; second < model->n_parts; second++) {
			const int part[2] = {first, second}, n = w->n_candidates;
			AbutPair pair;
			if (!abut_pair_make(model, first, second, &pair)) {
				continue;
			}
			cr_assert_eq(abut_contact_store_reserve(&w->store, n + 1, w->store.n_y + pair.n_y,
			                                        w->store.n_z + pair.n_z),
			             ABUT_OK);
			AbutContactMemory *entry = abut_contact_store_add(&w->store, part, pair.n_y, pair.n_z);
			const int source = all_pairs_source(&state->store, part);
			if (source >= 0) {
				abut_copy3(state->store.entries[source].normal, entry->normal);
			}
			w->candidates[n] = (AbutCandidate){.pair = pair, .active = true, .source = source};
			w->by_key[n] = w->active[n] = n;
			w->n_candidates = w->n_active = n + 1;
		}
	}
	cr_assert_eq(w->n_candidates, model->n_pairs);
}

static inline AbutIslandSize all_pairs_largest(const AbutWorkspace *w)
{
	AbutIslandSize size = {.n_bodies = 1};
	for (int i = 0; i < w->n_islands; i++) {
		size = abut_island_size_max(&size, &w->members[i].size);
	}
	return size;
}

/* A step. Of `info`: outcome, exact and halvings, the worst of the islands. A failed one leaves the state as it was. */
static inline void all_pairs_step(const AbutModel *model, AbutState *state, AbutWorkspace *w, AbutStepInfo *info)
{
	abut_step_gather(model, state, w);
	all_pairs_candidates(model, state, w);
	abut_step_partition(model, w);
	const AbutIslandSize size = all_pairs_largest(w);
	cr_assert_eq(abut_island_reserve(model, &w->islands[0], &size), ABUT_OK);
	*info = (AbutStepInfo){.outcome = ABUT_OUTCOME_EXACT, .exact = true};
	for (int i = 0; i < w->n_islands; i++) {
		const AbutStepInfo *own = &w->members[i].info;
		abut_step_advance(model, state, w, &w->members[i], &w->islands[0]);
		info->outcome = own->outcome > info->outcome ? own->outcome : info->outcome;
		info->exact = info->exact && own->exact;
		info->halvings = own->halvings > info->halvings ? own->halvings : info->halvings;
	}
	if (info->outcome != ABUT_OUTCOME_FAILED) {
		cr_assert_eq(abut_step_commit(model, state, w), ABUT_OK);
	}
}

#endif
