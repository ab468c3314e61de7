/* Creates and destroys workspaces, and returns the contacts of the last step. */
#include "dynamics/step/workspace.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/grow.h"

static void carve(const AbutModel *model, AbutWorkspace *w, AbutArena *arena)
{
	const size_t n_bodies = (size_t)model->n_bodies;
	const size_t n_parts = (size_t)model->n_parts;
	w->bodies = abut_arena_take(arena, n_bodies + 1, sizeof *w->bodies);
	w->joints = abut_arena_take(arena, (size_t)model->joints.n, sizeof *w->joints);
	w->couplings = abut_arena_take(arena, (size_t)model->joints.n_couplings, sizeof *w->couplings);
	w->loads = model->sensors.loads ? abut_arena_take(arena, (size_t)model->joints.n, 6 * sizeof *w->loads) : NULL;
	w->motion = abut_arena_take(arena, n_bodies, sizeof *w->motion);
	w->pairs.bounds = abut_arena_take(arena, n_parts, sizeof *w->pairs.bounds);
	w->pairs.ways = abut_arena_take(arena, n_parts, sizeof *w->pairs.ways);
	void *const broad_phase = abut_arena_take(arena, 1, abut_broad_phase_size(model->n_parts));
	if (broad_phase) {
		abut_broad_phase_begin(&w->pairs.broad_phase, model->n_parts, broad_phase);
	}
}

AbutStatus abut_workspace_reserve_results(AbutWorkspace *w)
{
	return abut_grow(&w->results, &w->n_results, w->pairs.n_candidates, sizeof *w->results) ? ABUT_OK
	                                                                                        : ABUT_ERROR_MEMORY;
}

/* Reserves memory for all contacts of a small scene, so that a step never allocates. The memory of a large scene grows
 * during steps. */
static AbutStatus reserve_room(const AbutModel *model, AbutWorkspace *w)
{
	const AbutRoom room = abut_pair_room(model);
	const bool small = room.contacts == model->pairing.n_pairs && model->n_moving <= ABUT_RESERVED_BODIES;
	AbutIslandSize size = {.n_bodies = 1, .n_blocks = 1};
	if (small && (model->method->has.by_cones || model->joints.n > 0)) {
		size = (AbutIslandSize){.n_bodies = model->n_moving > 0 ? model->n_moving : 1,
		                        .n_contacts = room.contacts,
		                        .n_y = 6 * model->n_moving + room.n_y,
		                        .n_z = room.n_z,
		                        .n_law = room.n_law,
		                        .n_cones = room.n_cones,
		                        .n_side = room.n_side,
		                        .n_blocks = model->n_moving * model->n_moving};
		for (int i = 0; i < model->joints.n; i++) {
			abut_island_size_add_joint(&model->joints.at[i], &size);
		}
		for (int i = 0; i < model->joints.n_couplings; i++) {
			abut_island_size_add_coupling(&size);
		}
	}
	if (abut_island_too_large(model, &size)) {
		size = (AbutIslandSize){.n_bodies = 1, .n_blocks = 1};
	}
	ABUT_TRY(abut_near_pairs_begin(&w->pairs, &room));
	ABUT_TRY(abut_partition_create(model, room.contacts, &w->partition));
	if (small && (model->method->has.couples || model->joints.n > 0)) {
		ABUT_TRY(abut_partition_reserve_patterns(&w->partition, room.contacts + abut_joint_pairs(model)));
	}
	if (!abut_grow(&w->results, &w->n_results, room.contacts, sizeof *w->results)) {
		return ABUT_ERROR_MEMORY;
	}
	if (model->method->work_create) {
		ABUT_TRY(model->method->work_create(model, w->n_threads, &w->method));
	}
	for (int i = 0; i < w->n_threads; i++) {
		ABUT_TRY(abut_island_reserve(model, &w->islands[i], &size));
	}
	return ABUT_OK;
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
	w->row = model->method;
	w->n_threads = n_threads > 0 ? n_threads : abut_thread_cores();
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
	w->bodies[model->n_bodies] = abut_body_world();
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
		abut_island_destroy(w->row, &w->islands[i]);
	}
	if (w->method) {
		w->row->work_destroy(w->method);
	}
	abut_partition_destroy(&w->partition);
	abut_near_pairs_destroy(&w->pairs);
	free(w->islands);
	free(w->results);
	free(w->memory);
	free(w);
}

void abut_workspace_set_stop(AbutWorkspace *w, const AbutStop *stop)
{
	w->stop = stop ? &w->own_stop : NULL;
	abut_stopper_set(&w->own_stop, stop);
	if (w->pool) {
		abut_thread_pool_set_stop(w->pool, w->stop);
	}
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
	*out = workspace->results[workspace->pairs.active[index]];
	return ABUT_OK;
}
