/* Solves for the held numbers of a jointed part that no node holds (dynamics/gradient/nodes.c): feet that grip, and
 * loops. With the other numbers eliminated, y_k moves the bodies by Z_k, so
 *
 *     C y = w,        C = 1 - Y_y - Y_x Z,         w = h + Y_x x,         x <- x + Z y.
 *
 * C is zero up to rounding where others already hold the numbers. Such numbers are dropped (y = 0). Their equations
 * hold only if right sides are consistent with each other, which abut_gradient_left_violation measures. Tested in
 * tests/dynamics/joint/test_joint_gradient.c.
 */
#include "dynamics/gradient/left.h"

#include <math.h>
#include <string.h>

#include "dynamics/gradient/map_lanes.h"
#include "dynamics/gradient/nodes.h"

enum { SIDE = ABUT_MAP_SIDE };

/* A number can be held if more than this part of its effect on free bodies is left. */
static const double least_pivot = 1e-9;

static const int *left_of(const AbutGradientPart *part)
{
	return &part->system.nodes.held[part->system.nodes.first[part->n]];
}

static AbutStatus reserve(AbutGradientPart *part)
{
	AbutGradientNodes *nodes = &part->system.nodes;
	const size_t n = (size_t)nodes->n_left, rows = SIDE * (size_t)part->n;
	if (!abut_gradient_room_reserve(&nodes->room, n * (rows + 3 * n + 1) * sizeof(double) + 3 * n * sizeof(int))) {
		return ABUT_ERROR_MEMORY;
	}
	nodes->Z = nodes->room.memory;
	nodes->C = nodes->Z + n * rows;
	nodes->inverse = nodes->C + n * n;
	nodes->check = nodes->inverse + n * n;
	nodes->effect = nodes->check + n * n;
	nodes->dropped = (int *)(void *)(nodes->effect + n);
	return ABUT_OK;
}

static const AbutEdgeMap *map_of(const AbutGradientPart *part, int held)
{
	return &part->maps[part->system.nodes.map[held]];
}

/* Computes w = h + Y_x x into lanes.held, one entry for each number that is left over. */
ALWAYS_INLINE void right_of_left(const AbutGradientPart *part)
{
	for (int i = 0; i < part->system.nodes.n_left; i++) {
		const int held = left_of(part)[i];
		const AbutEdgeMap *map = map_of(part, held);
		memcpy(part->lanes.held[i], part->lanes.held_right[held], sizeof(AbutLanes));
		for (int s = 0; s < map->n_sides; s++) {
			abut_map_add_product(map, abut_map_first_held_row(map) + held - map->held, 1,
			                     abut_map_by_velocity(map) + SIDE * s, SIDE,
			                     abut_map_of_side(map, s, part->lanes.x), &part->lanes.held[i]);
		}
	}
}

/* Computes Z of up to eight numbers from `first` on, and their columns of C. */
ABUT_CLONES static void add_left(AbutGradientPart *part, int first)
{
	AbutGradientNodes *nodes = &part->system.nodes;
	const int n = nodes->n_left, *left = left_of(part);
	const int end = first + ABUT_LANES < n ? first + ABUT_LANES : n;
	memset(part->lanes.right, 0, SIDE * (size_t)part->n * sizeof(AbutLanes));
	memset(part->lanes.held_right, 0, (size_t)part->n_held * sizeof(AbutLanes));
	for (int k = first; k < end; k++) {
		const AbutEdgeMap *map = map_of(part, left[k]);
		for (int i = 0; i < SIDE * map->n_sides; i++) {
			abut_map_of_side(map, i / SIDE, part->lanes.right)[i % SIDE][k - first] +=
			    map->at[i * map->stride + abut_map_by_held(map) + left[k] - map->held];
		}
	}
	abut_gradient_nodes_solve(part, 0, part->n - 1);
	right_of_left(part);
	for (int k = first; k < end; k++) {
		for (int i = 0; i < SIDE * part->n; i++) {
			nodes->Z[k * SIDE * part->n + i] = part->lanes.x[i][k - first];
		}
		for (int i = 0; i < n; i++) {
			const AbutEdgeMap *map = map_of(part, left[i]);
			const bool same = map == map_of(part, left[k]);
			const double *Y = abut_map_held_row(map, left[i] - map->held);
			nodes->C[i * n + k] = (i == k ? 1.0 : 0.0) - part->lanes.held[i][k - first] -
			                      (same ? Y[abut_map_by_held(map) + left[k] - map->held] : 0.0);
		}
	}
}

/* Returns the effect of a number on its equation if its edge joined free bodies, or more. */
static double effect_of(const AbutGradientPart *part, int held)
{
	const AbutEdgeMap *map = map_of(part, held);
	const double *Y = abut_map_held_row(map, held - map->held);
	double sum = fabs(1.0 - Y[abut_map_by_held(map) + held - map->held]);
	for (int c = 0; c < SIDE * map->n_sides; c++) {
		const AbutGradientBody *body = &part->bodies[map->body[c / SIDE]];
		const double W = map->at[c * map->stride + abut_map_by_held(map) + held - map->held];
		sum += fabs(Y[abut_map_by_velocity(map) + c] * W) / (c % SIDE < 3 ? body->mass : body->least_inertia);
	}
	return sum;
}

/* Finds the largest entry of C, relative to the effect of its row, among rows and columns without a pivot (-1). */
static double find_pivot(const AbutGradientNodes *nodes, const int *column_of, const int *row_of, int *row, int *column)
{
	const int n = nodes->n_left;
	double most = 0.0;
	for (int i = 0; i < n; i++) {
		for (int j = 0; column_of[i] < 0 && j < n; j++) {
			const double size = fabs(nodes->C[i * n + j]) / nodes->effect[i];
			if (row_of[j] < 0 && size > most) {
				most = size;
				*row = i;
				*column = j;
			}
		}
	}
	return most;
}

/* Writes the row of `check` of a dropped number i: how far w_i is from what the other numbers make of it, divided by
 * the number's stiffness. */
static void check_left(AbutGradientPart *part, int i, const int *column_of)
{
	static const double rounding = 1e-7;
	AbutGradientNodes *nodes = &part->system.nodes;
	const int n = nodes->n_left, held = left_of(part)[i];
	const AbutEdgeMap *map = map_of(part, held);
	const double *Y = &abut_map_held_row(map, held - map->held)[abut_map_by_velocity(map)];
	double stiffness = 0.0, *out = &nodes->check[nodes->n_dropped * n];
	for (int c = 0; c < SIDE * map->n_sides; c++) {
		stiffness = fmax(stiffness, fabs(Y[c]));
	}
	bool alone = true; /* only joints hold its row */
	for (int k = 0; k < n; k++) {
		const double by = k == i ? 1.0 : column_of[k] >= 0 ? -nodes->C[i * n + column_of[k]] : 0.0;
		out[k] = stiffness > 0.0 ? by / stiffness : 0.0;
		alone = alone && (k == i || fabs(by) < rounding || !map_of(part, left_of(part)[k])->yields);
	}
	if (alone && map->yields && map->yields[held - map->held]) {
		memset(out, 0, (size_t)n * sizeof *out); /* its impulse goes to its bound, and moves nothing */
	}
	nodes->dropped[nodes->n_dropped++] = held;
}

/* Inverts C as far as its numbers can be held. */
static void invert_left(AbutGradientPart *part)
{
	AbutGradientNodes *nodes = &part->system.nodes;
	const int n = nodes->n_left;
	int *column_of = nodes->dropped + n, *row_of = column_of + n, row = 0, column = 0;
	for (int i = 0; i < n; i++) {
		column_of[i] = row_of[i] = -1;
		nodes->effect[i] = effect_of(part, left_of(part)[i]);
	}
	while (find_pivot(nodes, column_of, row_of, &row, &column) > least_pivot) {
		abut_exchange(n, n, nodes->C, row, column);
		column_of[row] = column;
		row_of[column] = row;
	}
	nodes->n_dropped = 0;
	for (int i = 0; i < n; i++) {
		if (column_of[i] < 0) {
			check_left(part, i, column_of);
		}
	}
	for (int j = 0; j < n; j++) {
		for (int k = 0; k < n; k++) {
			nodes->inverse[j * n + k] =
			    row_of[j] >= 0 && column_of[k] >= 0 ? nodes->C[row_of[j] * n + column_of[k]] : 0.0;
		}
	}
}

AbutStatus abut_gradient_left_make(AbutGradientPart *part)
{
	AbutGradientNodes *nodes = &part->system.nodes;
	nodes->n_dropped = 0;
	if (nodes->n_left == 0) {
		return ABUT_OK;
	}
	const AbutStatus status = reserve(part);
	for (int first = 0; status == ABUT_OK && first < nodes->n_left; first += ABUT_LANES) {
		add_left(part, first);
	}
	if (status == ABUT_OK) {
		invert_left(part);
	}
	return status;
}

ABUT_CLONES void abut_gradient_left_solve(const AbutGradientPart *part)
{
	const AbutGradientNodes *nodes = &part->system.nodes;
	const int n = nodes->n_left;
	right_of_left(part);
	for (int k = 0; k < n; k++) {
		AbutLanes y;
		abut_lanes_zero(y);
		for (int i = 0; i < n; i++) {
			abut_lanes_add(y, nodes->inverse[k * n + i], part->lanes.held[i]);
		}
		for (int i = 0; i < SIDE * part->n; i++) {
			abut_lanes_add(part->lanes.x[i], nodes->Z[k * SIDE * part->n + i], y);
		}
	}
}

ABUT_CLONES void abut_gradient_left_solve_transposed(const AbutGradientPart *part)
{
	const AbutGradientNodes *nodes = &part->system.nodes;
	const int n = nodes->n_left, *left = left_of(part);
	memset(part->lanes.held, 0, (size_t)part->n_held * sizeof *part->lanes.held);
	for (int k = 0; k < n; k++) {
		AbutLanes by;
		abut_lanes_zero(by);
		for (int i = 0; i < SIDE * part->n; i++) {
			abut_lanes_add(by, nodes->Z[k * SIDE * part->n + i], part->lanes.x[i]);
		}
		for (int i = 0; i < n; i++) {
			abut_lanes_add(part->lanes.held[left[i]], nodes->inverse[k * n + i], by);
		}
	}
	for (int i = 0; i < n; i++) {
		const AbutEdgeMap *map = map_of(part, left[i]);
		for (int s = 0; s < map->n_sides; s++) {
			abut_map_add_transposed(map, abut_map_first_held_row(map) + left[i] - map->held, 1,
			                        abut_map_by_velocity(map) + SIDE * s, SIDE, &part->lanes.held[left[i]],
			                        abut_map_of_side(map, s, part->lanes.x));
		}
	}
}

double abut_gradient_left_violation(const AbutGradientPart *part, int lane, int *map)
{
	const AbutGradientNodes *nodes = &part->system.nodes;
	double most = 0.0;
	for (int d = 0; d < nodes->n_dropped; d++) {
		double sum = 0.0;
		for (int i = 0; i < nodes->n_left; i++) {
			sum += nodes->check[d * nodes->n_left + i] * part->lanes.held[i][lane];
		}
		if (!(fabs(sum) <= most)) {
			most = isnan(sum) ? (double)INFINITY : fabs(sum);
			*map = nodes->map[nodes->dropped[d]];
		}
	}
	return most;
}

/* Returns the largest motion by a number, as if its edge joined free bodies. */
static double alone(const AbutGradientPart *part, int held)
{
	const AbutEdgeMap *map = map_of(part, held);
	double most = 0.0;
	for (int c = 0; c < SIDE * map->n_sides; c++) {
		const AbutGradientBody *body = &part->bodies[map->body[c / SIDE]];
		const double W = map->at[c * map->stride + abut_map_by_held(map) + held - map->held];
		most = fmax(most, fabs(W) / (c % SIDE < 3 ? body->mass : body->least_inertia));
	}
	return most;
}

double abut_gradient_left_free(const AbutGradientPart *part, int *map)
{
	const AbutGradientNodes *nodes = &part->system.nodes;
	const int n = nodes->n_left, *column_of = nodes->dropped + n, *row_of = column_of + n;
	double most = 0.0;
	for (int j = 0; j < n && nodes->n_dropped > 0; j++) {
		for (int k = 0; row_of[j] < 0 && k < SIDE * part->n; k++) {
			double moved = nodes->Z[j * SIDE * part->n + k];
			for (int i = 0; i < n; i++) {
				moved += column_of[i] >= 0
				             ? nodes->C[i * n + j] * nodes->Z[column_of[i] * SIDE * part->n + k]
				             : 0.0;
			}
			const double size = fabs(moved) / alone(part, left_of(part)[j]);
			*map = size > most ? nodes->map[left_of(part)[j]] : *map;
			most = fmax(most, size);
		}
	}
	return most;
}
