#include "dynamics/workspace.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

typedef struct Arena {
	char *base; /* NULL while only measuring */
	size_t used;
} Arena;

static void *take(Arena *arena, size_t count, size_t size)
{
	arena->used = (arena->used + 63) / 64 * 64;
	void *out = arena->base ? arena->base + arena->used : NULL;
	arena->used += count * size;
	return out;
}

/* Carves all arrays out of the arena: once to measure, once for real. */
static void carve(const AbutModel *model, AbutWorkspace *w, Arena *arena)
{
	const size_t bodies = (size_t)model->n_bodies, pairs = (size_t)model->n_pairs;
	const size_t n_y = 6 * (size_t)model->n_moving + (size_t)model->n_y_pairs, n_z = (size_t)model->n_z_pairs;
	size_t side_doubles = 0, most_eps = 0;
	int most_cones = 0;
	for (size_t i = 0; i < pairs; i++) {
		most_cones = model->pairs[i].n_cones > most_cones ? model->pairs[i].n_cones : most_cones;
		for (int s = 0; s < 2; s++) {
			const size_t n_eps = (size_t)model->parts[model->pairs[i].part[s]].rows.n_eps;
			side_doubles += 7 * n_eps;
			most_eps = n_eps > most_eps ? n_eps : most_eps;
		}
	}
	w->bodies = take(arena, bodies, sizeof *w->bodies);
	w->moving = take(arena, (size_t)model->n_moving, sizeof(AbutBodyWork *));
	w->islands = take(arena, (size_t)model->n_moving, sizeof *w->islands);
	w->island_of = take(arena, (size_t)model->n_moving, sizeof(int));
	w->by_island = take(arena, pairs, sizeof(int));
	w->spheres = take(arena, (size_t)model->n_parts, sizeof *w->spheres);
	w->sweep_order = take(arena, (size_t)model->n_parts, sizeof(int));
	w->is_active = take(arena, pairs, sizeof(bool));
	w->contacts = take(arena, pairs, sizeof *w->contacts);
	w->block_pairs = take(arena, pairs, sizeof *w->block_pairs);
	w->active = take(arena, pairs, sizeof(int));
	w->partitioned = take(arena, pairs, sizeof(int));
	w->cones = take(arena, (size_t)model->n_cones, sizeof *w->cones);
	w->side_memory = take(arena, side_doubles, sizeof(double));
	w->path_y = take(arena, n_y, sizeof(double));
	w->path_z = take(arena, n_z, sizeof(double));
	w->path_s = take(arena, n_z, sizeof(double));
	w->keep_y = take(arena, n_y, sizeof(double));
	w->keep_z = take(arena, n_z, sizeof(double));
	w->keep_s = take(arena, n_z, sizeof(double));
	w->results = take(arena, pairs, sizeof *w->results);
	w->kernel_scratch = take(arena, (size_t)model->scratch, sizeof(double));
	w->scaling.scratch = w->kernel_scratch;
	w->scaling.cones = take(arena, (size_t)most_cones, sizeof(AbutCone));
	for (int s = 0; s < 2; s++) {
		w->scaling.side[s].B_lambda = take(arena, most_eps, sizeof(double));
		w->scaling.side[s].eps_map = take(arena, 6 * most_eps, sizeof(double));
	}
}

AbutStatus abut_workspace_create(const AbutModel *model, AbutWorkspace **out, AbutError *error)
{
	if (!out || !model) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "model and out must not be NULL");
	}
	*out = NULL;
	AbutWorkspace *w = calloc(1, sizeof *w);
	Arena arena = {.base = NULL};
	if (!w) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while making a workspace");
	}
	carve(model, w, &arena);
	w->memory = arena.base = calloc(1, arena.used + 64);
	AbutStatus status = w->memory ? ABUT_OK : ABUT_ERROR_MEMORY;
	if (status == ABUT_OK) {
		arena.base += (64 - (size_t)arena.base % 64) % 64;
		arena.used = 0;
		carve(model, w, &arena);
		status = abut_block_system_create(model->n_moving, &w->system);
	}
	if (status == ABUT_OK) {
		status = abut_iterate_create(6 * model->n_moving + model->n_y_pairs, model->n_z_pairs, model->n_law,
		                             model->options.linear_solver == ABUT_LINEAR_SOLVER_DENSE, &w->iterate);
	}
	for (int i = 0; status == ABUT_OK && i < ABUT_LEVELS; i++) {
		status = abut_state_create(model, &w->saved[i], error);
	}
	if (status != ABUT_OK) {
		abut_workspace_destroy(w);
		return abut_error_set(error, status, NULL, "out of memory while making a workspace");
	}
	w->model = model;
	w->n_partitioned = -1;
	for (int i = 0; i < model->n_parts; i++) {
		w->sweep_order[i] = i;
	}
	for (int i = 0; i < model->n_bodies; i++) {
		w->bodies[i].body = i;
		w->bodies[i].moving = model->bodies[i].moving;
	}
	for (int i = 0; i < model->n_pairs; i++) {
		const AbutPair *pair = &model->pairs[i];
		const int a = pair->flipped ? 1 : 0;
		w->results[i] = (AbutContact){.body_a = pair->body[a],
		                              .body_b = pair->body[1 - a],
		                              .part_a = pair->local_part[a],
		                              .part_b = pair->local_part[1 - a]};
	}
	*out = w;
	return ABUT_OK;
}

void abut_workspace_destroy(AbutWorkspace *w)
{
	if (!w) {
		return;
	}
	for (int i = 0; i < ABUT_LEVELS; i++) {
		abut_state_destroy(w->saved[i]);
	}
	abut_iterate_destroy(&w->iterate);
	abut_block_system_destroy(&w->system);
	free(w->memory);
	free(w);
}

AbutStatus abut_contact_get(const AbutModel *model, const AbutWorkspace *workspace, int index, AbutContact *out)
{
	if (!model || !workspace || !out || workspace->model != model || index < 0 || index >= model->n_pairs) {
		return ABUT_ERROR_ARGUMENT;
	}
	*out = workspace->results[index];
	return ABUT_OK;
}
