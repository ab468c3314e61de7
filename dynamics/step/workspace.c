#include "dynamics/step/workspace.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/grow.h"

static void carve(const AbutModel *model, AbutWorkspace *w, AbutArena *arena)
{
	const size_t n_bodies = (size_t)model->n_bodies, n_moving = (size_t)model->n_moving;
	const size_t n_parts = (size_t)model->n_parts;
	w->bodies = abut_arena_take(arena, n_bodies, sizeof *w->bodies);
	w->motion = abut_arena_take(arena, n_bodies, sizeof *w->motion);
	w->bounds = abut_arena_take(arena, n_parts, sizeof *w->bounds);
	w->ways = abut_arena_take(arena, n_parts, sizeof *w->ways);
	void *const broad_phase = abut_arena_take(arena, 1, abut_broad_phase_size(model->n_parts));
	if (broad_phase) {
		abut_broad_phase_begin(&w->broad_phase, model->n_parts, broad_phase);
	}
	w->members = abut_arena_take(arena, n_moving, sizeof *w->members);
	w->members_before = abut_arena_take(arena, n_moving, sizeof *w->members);
	w->island_of = abut_arena_take(arena, n_moving, sizeof(int));
	w->island_before = abut_arena_take(arena, n_moving, sizeof(int));
	w->largest_first = abut_arena_take(arena, n_moving, sizeof(int));
	w->moving = abut_arena_take(arena, n_moving, sizeof(AbutBodyWork *));
	w->patterns = abut_arena_take(arena, n_moving, sizeof *w->patterns);
}

AbutStatus abut_workspace_reserve(AbutWorkspace *w, int candidates)
{
	const struct {
		void *array;
		size_t size;
	} arrays[] = {{&w->candidates, sizeof *w->candidates}, {&w->results, sizeof *w->results},
	              {&w->by_key, sizeof *w->by_key},         {&w->active, sizeof *w->active},
	              {&w->by_island, sizeof *w->by_island},   {&w->partitioned, sizeof *w->partitioned},
	              {&w->coupled, sizeof *w->coupled},       {&w->store.entries, sizeof *w->store.entries}};
	if (candidates <= w->capacity) {
		return ABUT_OK;
	}
	int capacity = w->capacity;
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
		capacity = w->capacity;
		if (!abut_grow(arrays[i].array, &capacity, candidates, arrays[i].size)) {
			return ABUT_ERROR_MEMORY;
		}
	}
	w->capacity = w->store.capacity = capacity;
	return ABUT_OK;
}

/* Patterns of any islands that few bodies may form. Bodies before an island's first one are in others. */
static AbutStatus reserve_patterns(const AbutModel *model, AbutWorkspace *w, int n_pairs)
{
	const int n = model->n_moving;
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < n; i++) {
		status = abut_block_pattern_reserve(&w->patterns[i], n - i, n_pairs, (n - i) * (n - i));
	}
	return status;
}

/* Room for all contacts of a small scene at once: then a step never allocates. A large one grows as it goes. */
static AbutStatus reserve_room(const AbutModel *model, AbutWorkspace *w)
{
	const AbutRoom room = abut_pair_room(model);
	const bool convex = model->options.method == ABUT_METHOD_CONVEX;
	const bool lcp = model->options.method == ABUT_METHOD_LCP || convex;
	const bool small = room.contacts == model->n_pairs && model->n_moving <= ABUT_RESERVED_BODIES;
	const bool all = !lcp && small;
	AbutIslandSize size = {.n_bodies = 1, .n_blocks = 1};
	if (all) {
		size = (AbutIslandSize){.n_bodies = model->n_moving > 0 ? model->n_moving : 1,
		                        .n_contacts = room.contacts,
		                        .n_y = 6 * model->n_moving + room.n_y,
		                        .n_z = room.n_z,
		                        .n_law = room.n_law,
		                        .n_cones = room.n_cones,
		                        .n_side = room.n_side,
		                        .n_blocks = model->n_moving * model->n_moving};
	}
	AbutStatus status = abut_workspace_reserve(w, room.contacts);
	if (status == ABUT_OK) {
		status = abut_block_pattern_analyse(&w->lone, 1, 0, NULL);
	}
	if (status == ABUT_OK && lcp) {
		status = abut_lcp_work_create(model, w->n_threads, &w->lcp);
	}
	if (status == ABUT_OK && small && (all || convex)) {
		status = reserve_patterns(model, w, room.contacts);
	}
	if (status == ABUT_OK && !abut_grow(&w->met, &w->capacity_met, room.contacts, sizeof *w->met)) {
		status = ABUT_ERROR_MEMORY;
	}
	if (status == ABUT_OK) {
		status = abut_contact_store_reserve(&w->store, room.contacts, room.n_y, room.n_z);
	}
	for (int i = 0; status == ABUT_OK && i < w->n_threads; i++) {
		status = abut_island_reserve(model, &w->islands[i], &size);
	}
	return status;
}

AbutStatus abut_workspace_create_threaded(const AbutModel *model, int n_threads, AbutWorkspace **out, AbutError *error)
{
	if (!out || !model) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "model and out must not be NULL");
	}
	*out = NULL;
	if (n_threads < 0) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "%d threads: there must be at least 1, or 0 for one per core", n_threads);
	}
	AbutWorkspace *w = calloc(1, sizeof *w);
	AbutArena arena = {.base = NULL};
	if (!w) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while making a workspace");
	}
	carve(model, w, &arena);
	w->model = model;
	w->n_threads = n_threads > 0 ? n_threads : abut_thread_cores();
	w->n_partitioned = -1;
	w->n_patterns = model->n_moving;
	w->memory = calloc(1, arena.used + ABUT_ARENA_ALIGNMENT);
	w->islands = calloc((size_t)w->n_threads, sizeof *w->islands);
	AbutStatus status = w->memory && w->islands ? ABUT_OK : ABUT_ERROR_MEMORY;
	if (status == ABUT_OK) {
		abut_arena_begin(&arena, w->memory);
		carve(model, w, &arena);
		status = reserve_room(model, w);
	}
	if (status != ABUT_OK) {
		abut_error_set(error, status, NULL, "out of memory while making a workspace");
	} else if (w->n_threads > 1) {
		status = abut_thread_pool_create(w->n_threads, &w->pool, error);
	}
	if (status != ABUT_OK) {
		abut_workspace_destroy(w);
		return status;
	}
	for (int i = 0; i < model->n_bodies; i++) {
		w->bodies[i].body = i;
		w->bodies[i].moving = model->bodies[i].moving;
		w->bodies[i].planar = model->bodies[i].planar;
		w->bodies[i].quasi_static = model->quasi_static;
	}
	*out = w;
	return ABUT_OK;
}

AbutStatus abut_workspace_create(const AbutModel *model, AbutWorkspace **out, AbutError *error)
{
	return abut_workspace_create_threaded(model, 1, out, error);
}

void abut_workspace_destroy(AbutWorkspace *w)
{
	if (!w) {
		return;
	}
	abut_thread_pool_destroy(w->pool);
	for (int i = 0; w->islands && i < w->n_threads; i++) {
		abut_island_destroy(&w->islands[i]);
	}
	for (int i = 0; w->patterns && i < w->n_patterns; i++) {
		abut_block_pattern_destroy(&w->patterns[i]);
	}
	abut_block_pattern_destroy(&w->lone);
	abut_lcp_work_destroy(&w->lcp);
	abut_contact_store_destroy(&w->store);
	free(w->islands);
	free(w->candidates);
	free(w->results);
	free(w->by_key);
	free(w->active);
	free(w->by_island);
	free(w->partitioned);
	free(w->met);
	free(w->coupled);
	free(w->memory);
	free(w);
}

int abut_contact_count(const AbutWorkspace *workspace)
{
	return workspace ? workspace->n_reported : 0;
}

AbutStatus abut_contact_get(const AbutModel *model, const AbutWorkspace *workspace, int index, AbutContact *out)
{
	if (!model || !workspace || !out || workspace->model != model || index < 0 || index >= workspace->n_reported) {
		return ABUT_ERROR_ARGUMENT;
	}
	*out = workspace->results[workspace->active[index]];
	return ABUT_OK;
}
