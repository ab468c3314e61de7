/* Allocates the derivative of a part of a step, and factorises the system of its bodies: S is the bodies' own blocks
 * minus the derivatives of the edges' wrenches with respect to velocities (dynamics/gradient/make.c). */
#include "dynamics/gradient/part.h"

#include <stdlib.h>
#include <string.h>

#include "dynamics/gradient/left.h"
#include "dynamics/gradient/nodes.h"

bool abut_gradient_room_reserve(AbutGradientRoom *room, size_t size)
{
	if (size + ABUT_ARENA_ALIGNMENT <= room->size) {
		return true;
	}
	free(room->memory);
	room->size = size + size / 2 + ABUT_ARENA_ALIGNMENT;
	room->memory = calloc(1, room->size);
	if (!room->memory) {
		room->size = 0;
	}
	return room->memory != NULL;
}

AbutStatus abut_gradient_lay_out(AbutGradientCarver *carve, void *of, const AbutGradientAsk *ask,
                                 AbutGradientPart *part)
{
	AbutArena sizes = {.base = NULL}, arena;
	carve(of, ask, &sizes, part);
	if (!abut_gradient_room_reserve(&part->room, sizes.used)) {
		return ABUT_ERROR_MEMORY;
	}
	abut_arena_begin(&arena, part->room.memory);
	carve(of, ask, &arena, part);
	return ABUT_OK;
}

static void carve_pattern(const AbutBlockPattern *from, AbutArena *arena, AbutBlockPattern *out)
{
	out->n = from->n;
	out->n_blocks = from->n_blocks;
	const size_t n = (size_t)from->n, n_entries = (size_t)from->first[from->n];
	out->position_of = abut_arena_take(arena, n, sizeof(int));
	out->body_at = abut_arena_take(arena, n, sizeof(int));
	out->first = abut_arena_take(arena, n + 1, sizeof(int));
	out->next = abut_arena_take(arena, n_entries, sizeof(int));
	if (arena->base) {
		memcpy(out->position_of, from->position_of, n * sizeof(int));
		memcpy(out->body_at, from->body_at, n * sizeof(int));
		memcpy(out->first, from->first, (n + 1) * sizeof(int));
		if (n_entries > 0) { /* a single body has no entries, and `from` no array */
			memcpy(out->next, from->next, n_entries * sizeof(int));
		}
	}
}

static void carve_lanes(AbutGradientPart *part, AbutArena *arena)
{
	AbutLanes **of_bodies[] = {&part->lanes.right, &part->lanes.start, &part->lanes.x, &part->lanes.dx};
	AbutLanes **of_held[] = {&part->lanes.held, &part->lanes.next_held, &part->lanes.held_right};
	for (int i = 0; i < 4; i++) {
		*of_bodies[i] = abut_arena_take(arena, 6 * (size_t)part->n, sizeof(AbutLanes));
	}
	for (int i = 0; i < 3; i++) {
		*of_held[i] = abut_arena_take(arena, (size_t)part->n_held, sizeof(AbutLanes));
	}
}

static size_t blocks_size(const AbutGradientPart *part)
{
	return (size_t)part->system.pattern.n_blocks * ABUT_BLOCK_SIZE;
}

void abut_gradient_carve_bodies(int n, int n_maps, const AbutGradientAsk *ask, AbutArena *arena, AbutGradientPart *part)
{
	part->n = n;
	part->n_maps = n_maps;
	part->n_held = part->n_rates = 0;
	part->rates = NULL;
	part->directions.n = 0;
	part->jointed = false;
	part->n_parameters = ask->n_parameters;
	part->smoothed = ask->smoothed;
	part->by_parameter =
	    abut_arena_take(arena, (size_t)part->n * (size_t)part->n_parameters, sizeof(AbutBodyParameter));
	part->lanes.parameters = abut_arena_take(arena, (size_t)part->n_parameters, sizeof(AbutLanes));
	part->bodies = abut_arena_take(arena, (size_t)part->n, sizeof(AbutGradientBody));
	part->maps = abut_arena_take(arena, (size_t)part->n_maps, sizeof(AbutEdgeMap));
	part->causes = abut_arena_take(arena, (size_t)part->n_maps, sizeof *part->causes);
	part->refused = abut_arena_take(arena, ABUT_BY_PARAMETER + (size_t)part->n_parameters, sizeof(AbutRefusal));
	for (int i = 0; arena->base && i < ABUT_BY_PARAMETER + part->n_parameters; i++) {
		part->refused[i] = (AbutRefusal){.why = ABUT_REFUSED_NOT};
	}
}

void abut_gradient_carve_system(const AbutBlockPattern *pattern, bool before, AbutArena *arena, AbutGradientPart *part)
{
	const size_t n = (size_t)part->n;
	carve_pattern(pattern, arena, &part->system.pattern);
	part->system.sum.pattern = part->system.factors.pattern = &part->system.pattern;
	part->system.sum.blocks = abut_arena_take(arena, blocks_size(part), sizeof(double));
	part->system.factors.blocks = abut_arena_take(arena, blocks_size(part), sizeof(double));
	if (part->jointed) {
		abut_gradient_nodes_carve(arena, part);
	}
	carve_lanes(part, arena);
	part->lanes.change = abut_arena_take(arena, ABUT_GRADIENT_COLUMNS * n, sizeof(AbutLanes));
	part->lanes.next = abut_arena_take(arena, ABUT_GRADIENT_ROWS * n, sizeof(AbutLanes));
	part->lanes.before = NULL;
	part->system.columns = NULL;
	if (before) {
		part->lanes.before = abut_arena_take(arena, 6 * n, sizeof(AbutLanes));
	} else {
		part->system.columns =
		    abut_arena_take(arena, 6 * n * abut_gradient_columns_stride(part), sizeof(double));
	}
}

/* Subtracts from the system the derivatives of an edge's wrenches with respect to velocities. */
static void subtract_wrenches(const AbutGradientPart *part, const AbutEdgeMap *map)
{
	for (int of = 0; of < map->n_sides; of++) {
		for (int by = 0; by < map->n_sides; by++) {
			double *block = abut_block(&part->system.sum, map->body[of], map->body[by]);
			const int column = abut_map_by_velocity(map) + ABUT_MAP_SIDE * by;
			for (int row = 0; row < 6; row++) {
				const double *M = &map->at[(ABUT_MAP_SIDE * of + row) * map->stride + column];
				for (int c = 0; c < 6; c++) {
					block[row * ABUT_BLOCK_ROW + c] -= M[c];
				}
			}
		}
	}
}

AbutStatus abut_gradient_factorise(AbutGradientPart *part)
{
	for (int i = 0; i < part->n_maps; i++) {
		subtract_wrenches(part, &part->maps[i]);
	}
	memcpy(part->system.factors.blocks, part->system.sum.blocks, blocks_size(part) * sizeof(double));
	const bool regular =
	    part->jointed ? abut_gradient_nodes_factorise(part) : abut_block_system_solve(&part->system.factors);
	if (!regular) {
		return ABUT_ERROR_NUMERICAL;
	}
	return part->jointed ? abut_gradient_left_make(part) : ABUT_OK;
}
