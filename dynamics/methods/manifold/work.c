/* Allocates the memory of the methods lcp and convex, and checks, when a model is made, whether they support it. */
#include "dynamics/methods/manifold/work.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/grow.h"
#include "collision/manifold/shape.h"
#include "dynamics/methods/manifold/jointed.h"
#include "dynamics/model/model.h"
#include "dynamics/model/pair.h"

/* Number of rows of an island for which memory is reserved at the start: those of 32 pairs with four points each. */
enum { ROWS_AT_FIRST = 32 * ABUT_LCP_MOST_ROWS };

/* Models with up to this many moving bodies reserve the rule's memory at the start. */
enum { SMALL = 64 };

static void carve(AbutLcpRoom *room, int rows, AbutArena *arena)
{
	const size_t n = (size_t)rows;
	room->rows = abut_arena_take(arena, n, sizeof *room->rows);
	if (room->own) {
		room->boxed.x = abut_arena_take(arena, n, sizeof(double));
		room->boxed.set = abut_arena_take(arena, n, sizeof *room->boxed.set);
		return;
	}
	room->A = abut_arena_take(arena, n * n, sizeof(double));
	room->b = abut_arena_take(arena, n, sizeof(double));
	room->lo = abut_arena_take(arena, n, sizeof(double));
	room->hi = abut_arena_take(arena, n, sizeof(double));
	room->friction = abut_arena_take(arena, n, sizeof(int));
	room->guess = abut_arena_take(arena, n, sizeof *room->guess);
	abut_boxed_lcp_carve(&room->boxed, rows, arena);
}

AbutStatus abut_lcp_room_reserve(AbutLcpRoom *room, int rows)
{
	if (rows <= room->capacity) {
		return ABUT_OK;
	}
	const int more = room->capacity > 0 ? rows + rows / 4 : rows;
	AbutArena arena = {.base = NULL};
	free(room->memory);
	room->memory = NULL;
	room->capacity = 0;
	carve(room, more, &arena);
	room->memory = malloc(arena.used + ABUT_ARENA_ALIGNMENT);
	if (!room->memory) {
		return ABUT_ERROR_MEMORY;
	}
	abut_arena_begin(&arena, room->memory);
	carve(room, more, &arena);
	room->capacity = more;
	return ABUT_OK;
}

void abut_lcp_room_destroy(AbutLcpRoom *room)
{
	abut_jointed_destroy(room);
	free(room->memory);
	*room = (AbutLcpRoom){.memory = NULL};
}

AbutStatus abut_lcp_work_reserve(AbutLcpWork *work, int candidates)
{
	return abut_grow(&work->contacts, &work->capacity, candidates, sizeof *work->contacts) ? ABUT_OK
	                                                                                       : ABUT_ERROR_MEMORY;
}

AbutStatus abut_lcp_work_reserve_rows(AbutLcpWork *work, int rows)
{
	for (int i = 0; i < work->n_rooms; i++) {
		ABUT_TRY(abut_lcp_room_reserve(&work->rooms[i], rows));
	}
	return ABUT_OK;
}

static AbutStatus begin(const AbutModel *model, int n_threads, AbutLcpWork *work)
{
	const AbutRoom room = abut_pair_room(model);
	const int most = ABUT_LCP_MOST_ROWS * (room.contacts < ROWS_AT_FIRST ? room.contacts : ROWS_AT_FIRST);
	work->bodies = calloc((size_t)model->n_bodies, sizeof *work->bodies);
	work->rooms = calloc((size_t)n_threads, sizeof *work->rooms);
	if (!work->bodies || !work->rooms) {
		return ABUT_ERROR_MEMORY;
	}
	work->n_rooms = n_threads;
	for (int i = 0; work->rule->room_create && i < n_threads; i++) {
		ABUT_TRY(work->rule->room_create(model, &work->rooms[i]));
	}
	const int of_laws = work->rule->joint_rows ? work->rule->joint_rows(model, model->joints.n) : 0;
	const int rows =
	    (most < ROWS_AT_FIRST ? most : ROWS_AT_FIRST) + (of_laws < ROWS_AT_FIRST ? of_laws : ROWS_AT_FIRST);
	const int bodies = model->n_moving;
	ABUT_TRY(abut_lcp_work_reserve(work, room.contacts));
	ABUT_TRY(abut_lcp_work_reserve_rows(work, rows));
	const int joint_rows = ABUT_JOINT_ROWS * model->joints.n;
	for (int i = 0; i < n_threads && work->rule->room_reserve && bodies <= SMALL; i++) {
		ABUT_TRY(work->rule->room_reserve(&work->rooms[i], bodies, rows + joint_rows, bodies * bodies));
	}
	for (int i = 0; i < n_threads && model->joints.n > 0 && bodies <= SMALL; i++) {
		ABUT_TRY(abut_jointed_reserve(&work->rooms[i], bodies, rows));
	}
	return ABUT_OK;
}

AbutStatus abut_manifold_work_create(const AbutModel *model, const AbutPointRule *rule, int n_threads, void **out)
{
	AbutLcpWork *work = calloc(1, sizeof *work);
	*out = work;
	if (work) {
		work->rule = rule;
	}
	return work ? begin(model, n_threads, work) : ABUT_ERROR_MEMORY;
}

void abut_lcp_work_destroy(void *method)
{
	AbutLcpWork *work = method;
	for (int i = 0; i < work->n_rooms; i++) {
		if (work->rule->room_destroy && work->rooms[i].own) {
			work->rule->room_destroy(&work->rooms[i]);
		}
		abut_lcp_room_destroy(&work->rooms[i]);
	}
	free(work->rooms);
	free(work->bodies);
	free(work->contacts);
	free(work);
}

AbutStatus abut_lcp_model_create(AbutModel *model, AbutError *error)
{
	for (int i = 0; i < model->n_parts; i++) {
		AbutPart *part = &model->parts[i];
		const AbutBody *body = &model->bodies[part->body];
		char where[64];
		AbutError own = {.status = ABUT_OK};
		snprintf(where, sizeof where, "bodies[%d].shape", part->body);
		const AbutStatus status = abut_manifold_shape_create(part->shape, body->centre_of_mass,
		                                                     model->units.length, &part->manifold, &own);
		if (status != ABUT_OK) {
			return abut_error_set(error, status, where, "body '%s' cannot take part in method %s: %s",
			                      body->name, abut_method_name(model->options.method), own.message);
		}
	}
	return ABUT_OK;
}
