/* The derivative of a step of an island, or of a part of one, by the implicit function theorem. With the contacts
 * eliminated at the solution, their wrenches follow the bodies' next poses and velocities (dynamics/gradient/map.c),
 *
 *     dW_i = sum_j  M_ij d(next pose)_j + V_ij d(v+, w+)_j,
 *     d(next pose) = start + (dt, G) d(v+, w+),
 *
 * and the momentum balances (dynamics/body/balance.c), L_i(v+, w+) - p_i - sum W = 0, give
 *
 *     S d(v+, w+) = d p - dL + sum M start,          S = dL/d(v+, w+) - sum (M (dt, G) + V): Newton's matrix
 *
 * where dp, dL and start are the bodies' own (dynamics/gradient/body.c). Exact laws are regularised here, and solved
 * for without that in dynamics/gradient/solve.c. Tested by differences of steps in
 * tests/dynamics/gradient/test_gradient.c. */
#include "dynamics/gradient/make.h"

#include "dynamics/gradient/part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/balance.h"
#include "dynamics/body/body.h"
#include "dynamics/gradient/body.h"
#include "dynamics/gradient/border.h"
#include "dynamics/gradient/held.h"
#include "dynamics/gradient/method.h"
#include "dynamics/gradient/unknown.h"
#include "dynamics/island/island.h"
#include "dynamics/island/problem.h"

/* The regularisation of the exact laws; those of impulses have one of their own (contact_stiffness.c). */
static const double delta = 1e-10;

/* A contact that presses, while it becomes a matrix. */
typedef struct Touch {
	AbutContactLinear linear;
	AbutHeldNumber *held;
	int n_held;
} Touch;

typedef struct Making {
	AbutIsland *island;
	const AbutGradientAsk *ask;
	const double *z; /* under which the laws are those of the derivative */
	Touch *touches;
	int n_touches;
} Making;

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

static void set_law(const Making *making)
{
	const AbutNcp *ncp = &making->island->ncp;
	AbutIterate *it = &making->island->iterate;
	if (making->ask->smoothed) {
		abut_cones_law_path(ncp->cones, ncp->n_cones, it->z, it->s, it->H, 0.0, &it->law);
		return;
	}
	abut_cones_law_exact(ncp->cones, ncp->n_cones, making->z, it->H, delta, delta, (double)INFINITY, &it->law);
	const AbutContactProblem *problem = &making->island->problem;
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		abut_friction_hold_edges(problem->friction_cone, contact->pair->tail, contact->friction_cones,
		                         making->z, it->H, delta, &it->law);
	}
}

static bool is_open(const AbutContactWork *contact, const AbutConeLaw *law)
{
	return law->K[contact->cones[0].law] == 0.0; /* on the path nothing is */
}

/* The touches' arrays: sizes alone, as long as the arena has no memory. */
static void carve_touches(Making *making, AbutArena *arena)
{
	AbutContactProblem *problem = &making->island->problem;
	making->touches = abut_arena_take(arena, (size_t)problem->n_contacts, sizeof(Touch));
	making->n_touches = 0;
	for (int i = 0; i < problem->n_contacts; i++) {
		Touch touch = {.linear.contact = &problem->contacts[i]};
		if (is_open(touch.linear.contact, &making->island->iterate.law)) {
			continue;
		}
		abut_contact_linear_carve(touch.linear.contact, arena, &touch.linear);
		touch.held =
		    abut_arena_take(arena, (size_t)abut_contact_map_most_held(&touch.linear), sizeof *touch.held);
		if (arena->base) {
			making->touches[making->n_touches] = touch;
		}
		making->n_touches++;
	}
}

static bool begin_touches(Making *making)
{
	AbutIterate *it = &making->island->iterate;
	for (int i = 0; i < making->n_touches; i++) {
		Touch *touch = &making->touches[i];
		AbutContactWork *contact = touch->linear.contact;
		const AbutLinearPoint at = {.z = &it->z[contact->at.z],
		                            .H = &it->H[contact->at.z],
		                            .s = making->ask->smoothed ? &it->s[contact->at.z] : NULL};
		if (!abut_contact_linear_begin(contact, &making->island->problem, &it->law, &at, &touch->linear)) {
			return false;
		}
		touch->n_held = abut_contact_map_list_held(&touch->linear, touch->held);
	}
	return true;
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
		if (n_entries > 0) { /* a body alone has none, and no array */
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

static AbutContactMapAsk ask_of(const Making *making, const Touch *touch)
{
	const AbutIterate *it = &making->island->iterate;
	const AbutContactWork *contact = touch->linear.contact;
	return (AbutContactMapAsk){.model = making->ask->model,
	                           .timestep = making->island->problem.timestep,
	                           .n_parameters = making->ask->n_parameters,
	                           .parameters = making->ask->parameters,
	                           .y = &it->y[contact->at.y],
	                           .z = &it->z[contact->at.z],
	                           .n_held = touch->n_held,
	                           .held = touch->held};
}

static size_t blocks_size(const AbutGradientPart *part)
{
	return (size_t)part->pattern.n_blocks * ABUT_BLOCK_SIZE;
}

void abut_gradient_carve_bodies(int n, int n_maps, const AbutGradientAsk *ask, AbutArena *arena, AbutGradientPart *part)
{
	part->n = n;
	part->n_maps = n_maps;
	part->n_held = 0;
	part->n_parameters = ask->n_parameters;
	part->smoothed = ask->smoothed;
	part->by_parameter =
	    abut_arena_take(arena, (size_t)part->n * (size_t)part->n_parameters, sizeof(AbutBodyParameter));
	part->lanes.parameters = abut_arena_take(arena, (size_t)part->n_parameters, sizeof(AbutLanes));
	part->bodies = abut_arena_take(arena, (size_t)part->n, sizeof(AbutGradientBody));
	part->maps = abut_arena_take(arena, (size_t)part->n_maps, sizeof(AbutContactMap));
	part->pairs = abut_arena_take(arena, (size_t)part->n_maps, sizeof *part->pairs);
	part->refused = abut_arena_take(arena, ABUT_BY_PARAMETER + (size_t)part->n_parameters, sizeof(AbutRefusal));
	for (int i = 0; arena->base && i < ABUT_BY_PARAMETER + part->n_parameters; i++) {
		part->refused[i].why = ABUT_REFUSED_NOT;
	}
}

void abut_gradient_carve_system(const AbutBlockPattern *pattern, bool before, AbutArena *arena, AbutGradientPart *part)
{
	const size_t n = (size_t)part->n;
	carve_pattern(pattern, arena, &part->pattern);
	part->sum.pattern = part->system.pattern = &part->pattern;
	part->sum.blocks = abut_arena_take(arena, blocks_size(part), sizeof(double));
	part->system.blocks = abut_arena_take(arena, blocks_size(part), sizeof(double));
	carve_lanes(part, arena);
	part->lanes.change = abut_arena_take(arena, ABUT_GRADIENT_COLUMNS * n, sizeof(AbutLanes));
	part->lanes.next = abut_arena_take(arena, ABUT_GRADIENT_ROWS * n, sizeof(AbutLanes));
	part->lanes.before = NULL;
	part->columns = NULL;
	if (before) {
		part->lanes.before = abut_arena_take(arena, 6 * n, sizeof(AbutLanes));
	} else {
		part->columns = abut_arena_take(arena, 6 * n * abut_gradient_columns_stride(part->n), sizeof(double));
	}
}

static void carve_part(const Making *making, AbutArena *arena, AbutGradientPart *part)
{
	const AbutContactProblem *problem = &making->island->problem;
	abut_gradient_carve_bodies(problem->n_moving,
	                           making->n_touches + abut_gradient_edges(making->ask->model, making->island),
	                           making->ask, arena, part);
	for (int i = 0; i < making->n_touches; i++) {
		AbutContactMap map = {.held = part->n_held};
		const AbutContactMapAsk ask = ask_of(making, &making->touches[i]);
		abut_contact_map_carve(&making->touches[i].linear, &ask, arena, &map);
		part->n_held += map.n_held;
		if (arena->base) {
			part->maps[i] = map;
			for (int side = 0; side < 2; side++) {
				part->pairs[i][side] = making->touches[i].linear.contact->side[side].body->body;
			}
		}
	}
	const AbutMethodGradient *method = making->ask->model->method->gradient;
	const int n_edges = abut_gradient_edges(making->ask->model, making->island);
	for (int i = 0; i < n_edges; i++) {
		AbutContactMap map = {.held = 0};
		method->carve_edge(making->island, i, making->ask, arena, &map);
		if (arena->base) {
			part->maps[making->n_touches + i] = map;
		}
	}
	abut_gradient_carve_system(problem->system.pattern, false, arena, part);
}

/* S has a body's own matrix, */
static void add_body(const AbutGradientPart *part, const AbutBodyWork *body, double timestep, int index)
{
	double D[36], *block = abut_block(&part->sum, index, index);
	abut_body_jacobian(body, timestep, D);
	for (int row = 0; row < 6; row++) {
		memcpy(&block[row * ABUT_BLOCK_ROW], &D[6 * row], 6 * sizeof(double));
	}
}

/* and less the wrenches by velocities. */
static void subtract_wrenches(const AbutGradientPart *part, const AbutContactMap *map)
{
	for (int of = 0; of < map->n_sides; of++) {
		for (int by = 0; by < map->n_sides; by++) {
			double *block = abut_block(&part->sum, map->body[of], map->body[by]);
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

bool abut_gradient_factorise(AbutGradientPart *part)
{
	for (int i = 0; i < part->n_maps; i++) {
		subtract_wrenches(part, &part->maps[i]);
	}
	memcpy(part->system.blocks, part->sum.blocks, blocks_size(part) * sizeof(double));
	return abut_block_system_solve(&part->system);
}

static void fill_body(const Making *making, int index, AbutGradientPart *part)
{
	const AbutGradientAsk *ask = making->ask;
	const double timestep = making->island->problem.timestep;
	const AbutBodyWork *body = making->island->problem.moving[index];
	AbutGradientBody *out = &part->bodies[index];
	abut_gradient_body(body, timestep, out);
	memcpy(out->from, ask->motion[body->body].at.orientation, sizeof out->from);
	for (int i = 0; i < ask->n_parameters; i++) {
		abut_body_parameter(ask->model, body, timestep, ask->first, &ask->parameters[i],
		                    &part->by_parameter[(size_t)index * (size_t)ask->n_parameters + (size_t)i]);
	}
	add_body(part, body, timestep, index);
}

static bool fill_part(const Making *making, AbutGradientPart *part)
{
	abut_block_system_clear(&part->sum);
	for (int i = 0; i < part->n; i++) {
		fill_body(making, i, part);
	}
	for (int i = 0; i < making->n_touches; i++) {
		const AbutContactMapAsk ask = ask_of(making, &making->touches[i]);
		abut_contact_map_fill(&making->touches[i].linear, &ask, &part->maps[i]);
	}
	for (int i = making->n_touches; i < part->n_maps; i++) {
		making->ask->model->method->gradient->fill_edge(making->island, i - making->n_touches, &part->maps[i]);
	}
	return abut_gradient_factorise(part);
}

/* Under the law that is set. */
static AbutStatus make_part(Making *making, AbutGradientRoom *scratch, AbutGradientPart *part)
{
	AbutArena sizes = {.base = NULL}, arena;
	carve_touches(making, &sizes);
	if (!abut_gradient_room_reserve(scratch, sizes.used)) {
		return ABUT_ERROR_MEMORY;
	}
	abut_arena_begin(&arena, scratch->memory);
	carve_touches(making, &arena);
	if (!begin_touches(making)) {
		return ABUT_ERROR_NUMERICAL;
	}
	sizes.used = 0;
	carve_part(making, &sizes, part);
	if (!abut_gradient_room_reserve(&part->room, sizes.used)) {
		return ABUT_ERROR_MEMORY;
	}
	abut_arena_begin(&arena, part->room.memory);
	carve_part(making, &arena, part);
	return fill_part(making, part) ? ABUT_OK : ABUT_ERROR_NUMERICAL;
}

/* On a side of the borders that the solution is on. */
static AbutStatus make_side(Making *making, AbutBorderSide side, AbutGradientRoom *scratch, AbutGradientPart *part)
{
	const size_t size = (size_t)making->island->ncp.n_z * sizeof(double);
	if (!abut_gradient_room_reserve(scratch, size)) {
		return ABUT_ERROR_MEMORY;
	}
	double *z = scratch->memory;
	memcpy(z, making->island->iterate.z, size);
	abut_gradient_leave_border(making->island, side, z);
	making->z = z;
	set_law(making); /* after that z may be lost */
	return make_part(making, scratch, part);
}

static AbutStatus make_as_is(Making *making, AbutGradientRoom *scratch, AbutGradientPart *part)
{
	making->z = making->island->iterate.z;
	set_law(making);
	const AbutStatus status = make_part(making, scratch, part);
	if (status == ABUT_OK) {
		abut_gradient_refuse_overheld(part);
	}
	return status;
}

/* `part` closed and `other` open: whether each has a derivative. */
typedef struct Sides {
	AbutBorderSide closed, open;
	AbutStatus status; /* of the closed one; ABUT_ERROR_MEMORY of either */
	bool has_other;
} Sides;

static void make_sides(Making *making, AbutGradientRoom *scratch, AbutGradientPart *other, AbutGradientPart *part,
                       Sides *sides)
{
	sides->status = make_side(making, sides->open, scratch, other);
	sides->has_other = sides->status == ABUT_OK;
	if (sides->status != ABUT_ERROR_MEMORY) {
		sides->status = make_side(making, sides->closed, scratch, part);
	}
}

/* Of borders by load, the points where they are. */
static AbutStatus make_by_load(Making *making, const AbutRefusal *border, AbutGradientRoom *scratch,
                               AbutGradientPart *other, AbutGradientPart *part)
{
	Sides sides = {.closed = {.load = ABUT_BORDER_CLOSED, .end = ABUT_BORDER_AS_IS},
	               .open = {.load = ABUT_BORDER_OPEN, .end = ABUT_BORDER_AS_IS}};
	make_sides(making, scratch, other, part, &sides);
	if (sides.status == ABUT_OK) {
		abut_gradient_refuse_overheld(part);
		abut_gradient_refuse_border(part, sides.has_other ? other : NULL, border);
	}
	return sides.status;
}

/* A point at its end counts where a body is about to tip over it. Contacts without load are open meanwhile, lest they
 * hold too much; where there are such, what they hold besides is not tried, and nothing has a derivative. */
static AbutStatus make_by_end(Making *making, const AbutBorders *borders, AbutGradientRoom *scratch,
                              AbutGradientPart *other, AbutGradientPart *part, bool *tips)
{
	Sides sides = {.closed = {.load = ABUT_BORDER_OPEN, .end = ABUT_BORDER_CLOSED},
	               .open = {.load = ABUT_BORDER_OPEN, .end = ABUT_BORDER_OPEN}};
	make_sides(making, scratch, other, part, &sides);
	*tips = sides.has_other && sides.status == ABUT_OK && abut_gradient_tips(part, other);
	if (*tips) {
		const bool alone = borders->load.why == ABUT_REFUSED_NOT;
		abut_gradient_refuse_overheld(part);
		abut_gradient_refuse_border(part, alone ? other : NULL, &borders->end);
	}
	return sides.status;
}

static AbutStatus make(Making *making, AbutGradientRoom *scratch, AbutGradientPart *other, AbutGradientPart *part)
{
	AbutBorders borders = {.load = {.why = ABUT_REFUSED_NOT}, .end = {.why = ABUT_REFUSED_NOT}};
	if (!making->ask->smoothed) {
		borders = abut_gradient_borders(making->island);
	}
	if (borders.end.why != ABUT_REFUSED_NOT) {
		bool tips;
		const AbutStatus status = make_by_end(making, &borders, scratch, other, part, &tips);
		if (tips || status == ABUT_ERROR_MEMORY) {
			return status;
		}
	}
	return borders.load.why == ABUT_REFUSED_NOT ? make_as_is(making, scratch, part)
	                                            : make_by_load(making, &borders.load, scratch, other, part);
}

AbutStatus abut_gradient_part_make(AbutIsland *island, const AbutGradientAsk *ask, AbutGradientRoom *scratch,
                                   AbutGradientPart *other, AbutGradientPart *part)
{
	Making making = {.island = island, .ask = ask};
	const AbutStatus status = make(&making, scratch, other, part);
	if (status == ABUT_OK) {
		abut_gradient_refuse_unknown(island, ask, part);
	}
	return status;
}
