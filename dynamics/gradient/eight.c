/* Multiplies the derivative of a step by eight changes of state, input and parameters at once, island by island and
 * part by part, and its transpose by eight costs. Tested in tests/dynamics/linear/test_linear.c. */
#include "dynamics/gradient/eight.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/error.h"
#include "base/lane_algebra.h"
#include "dynamics/gradient/products.h"
#include "dynamics/gradient/refuse.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS };

/* The changes of an island, in model units, and which of their lanes have a derivative. */
typedef struct Eight {
	const AbutGradient *gradient;
	const AbutGradientIsland *island;
	const int *bodies;     /* (n) */
	AbutLanes *parameters; /* (n_parameters) */
	AbutLanes *own, *next; /* (18 n), (12 n) */
	AbutLanes absent;      /* NaN: no derivative; otherwise 0 */
	AbutStatus status;
	AbutError *error;
} Eight;

/* Marks the lanes that change something by which the island has no derivative. */
static void require(Eight *eight, int by, const AbutLanes used)
{
	AbutError unused;
	bool needed = false;
	for (int l = 0; l < ABUT_LANES; l++) {
		needed = needed || used[l] != 0.0;
	}
	const AbutStatus status = needed ? abut_gradient_has(eight->gradient, eight->island, by,
	                                                     eight->status == ABUT_OK ? eight->error : &unused)
	                                 : ABUT_OK;
	for (int l = 0; status != ABUT_OK && l < ABUT_LANES; l++) {
		eight->absent[l] = used[l] != 0.0 ? (double)NAN : eight->absent[l];
	}
	eight->status = eight->status == ABUT_OK ? status : eight->status;
}

/* Reads the changes of the island's bodies. */
ABUT_CLONES static void gather(const Eight *eight, const AbutLanes *change, AbutLanes moved, AbutLanes pushed)
{
	double inverse[COLUMNS];
	for (int c = 0; c < COLUMNS; c++) {
		inverse[c] = 1.0 / eight->gradient->unit[c];
	}
	for (int body = 0; body < eight->island->n_bodies; body++) {
		const AbutLanes *from = &change[COLUMNS * eight->bodies[body]];
		for (int c = 0; c < COLUMNS; c++) {
			double *to = eight->own[COLUMNS * body + c], *used = c < ABUT_GRADIENT_LINEAR ? moved : pushed;
			for (int l = 0; l < ABUT_LANES; l++) {
				to[l] = from[c][l] * inverse[c];
				used[l] += fabs(from[c][l]);
			}
		}
	}
}

/* Writes the island's rows; returns false if one that exists is not finite. */
ABUT_CLONES static bool scatter(const Eight *eight, AbutLanes *next)
{
	AbutLanes sum;
	abut_lanes_zero(sum);
	for (int k = 0; k < ROWS * eight->island->n_bodies; k++) {
		double *to = next[ROWS * eight->bodies[k / ROWS] + k % ROWS];
		const double unit = eight->gradient->unit[k % ROWS];
		for (int l = 0; l < ABUT_LANES; l++) {
			to[l] = eight->next[k][l] * unit + eight->absent[l];
			sum[l] += 0.0 * eight->next[k][l];
		}
	}
	return abut_lanes_sum(sum) == 0.0;
}

static void solve(Eight *eight, const AbutLanes *parameters, AbutLanes *next)
{
	const AbutGradientIsland *island = eight->island;
	bool solved = true;
	memset(eight->next, 0, ROWS * (size_t)island->n_bodies * sizeof *eight->next);
	for (int i = 0; island->status == ABUT_OK && solved && i < island->n_parts; i++) {
		solved = abut_gradient_part_forward(island->parts[i], eight->own, parameters, eight->next);
		for (int body = 0; i + 1 < island->n_parts && body < island->n_bodies; body++) {
			memcpy(&eight->own[COLUMNS * body], &eight->next[ROWS * body], ROWS * sizeof *eight->next);
		}
	}
	if ((!scatter(eight, next) || !solved) && eight->status == ABUT_OK) {
		eight->status = abut_gradient_refuse(eight->gradient, ABUT_ERROR_NUMERICAL, eight->error);
	}
}

static void multiply_island(Eight *eight, const AbutLanes *change, AbutLanes *next)
{
	const int n_parameters = eight->parameters ? eight->gradient->n_parameters : 0;
	AbutLanes moved, pushed;
	abut_lanes_zero(moved);
	abut_lanes_zero(pushed);
	abut_lanes_zero(eight->absent);
	gather(eight, change, moved, pushed);
	require(eight, ABUT_BY_POSES, moved);
	require(eight, ABUT_BY_IMPULSES, pushed);
	for (int i = 0; i < n_parameters; i++) {
		require(eight, ABUT_BY_PARAMETER + i, eight->parameters[i]);
	}
	solve(eight, eight->parameters, next);
}

AbutStatus abut_gradient_forward_eight(const AbutGradient *gradient, const AbutLanes *change,
                                       const AbutLanes *parameters, AbutLanes *next, AbutError *error)
{
	const size_t n_parameters = parameters ? (size_t)gradient->n_parameters : 0;
	const size_t n = (size_t)abut_gradient_largest_island(gradient);
	Eight eight = {.gradient = gradient, .status = ABUT_OK, .error = error};
	ABUT_TRY(abut_gradient_ready(gradient, error));
	if (!abut_gradient_room_reserve(gradient->room, (n_parameters + (COLUMNS + ROWS) * n) * sizeof(AbutLanes))) {
		return abut_gradient_refuse(gradient, ABUT_ERROR_MEMORY, error);
	}
	AbutLanes *memory = gradient->room->memory;
	eight.own = memory + n_parameters;
	eight.next = eight.own + COLUMNS * n;
	eight.parameters = n_parameters > 0 ? memory : NULL;
	for (size_t i = 0; i < n_parameters; i++) {
		for (int l = 0; l < ABUT_LANES; l++) {
			memory[i][l] = parameters[i][l] / gradient->parameter_unit[i];
		}
	}
	for (int i = 0, first = 0; i < gradient->n_islands; i++) {
		eight.island = abut_gradient_island(gradient, first);
		eight.bodies = &gradient->bodies[first];
		multiply_island(&eight, change, next);
		first += eight.island->n_bodies;
	}
	return eight.status;
}

/* --- backward --- */

bool abut_gradient_is_whole(const AbutGradient *gradient)
{
	bool whole = gradient->solved;
	for (int i = 0, first = 0; whole && i < gradient->n_islands; i++) {
		const AbutGradientIsland *island = abut_gradient_island(gradient, first);
		AbutError unused;
		whole = island->status == ABUT_OK && island->n_parts == 1;
		for (int by = 0; whole && by < ABUT_BY_PARAMETER + gradient->n_parameters; by++) {
			whole = abut_gradient_has(gradient, island, by, &unused) == ABUT_OK;
		}
		first += island->n_bodies;
	}
	return whole;
}

/* Reads the costs of an island's bodies. */
ABUT_CLONES static void gather_back(const AbutGradient *gradient, const int *bodies, int n, const AbutLanes *by_next,
                                    AbutLanes *own)
{
	for (int k = 0; k < ROWS * n; k++) {
		const double unit = gradient->unit[k % ROWS];
		for (int l = 0; l < ABUT_LANES; l++) {
			own[k][l] = by_next[ROWS * bodies[k / ROWS] + k % ROWS][l] * unit;
		}
	}
}

/* Writes the gradients of an island's bodies; returns false if one is not finite. */
ABUT_CLONES static bool scatter_back(const AbutGradient *gradient, const int *bodies, int n, const AbutLanes *own,
                                     AbutLanes *out)
{
	AbutLanes sum;
	double inverse[COLUMNS];
	abut_lanes_zero(sum);
	for (int c = 0; c < COLUMNS; c++) {
		inverse[c] = 1.0 / gradient->unit[c];
	}
	for (int body = 0; body < n; body++) {
		const AbutLanes *from = &own[COLUMNS * body];
		AbutLanes *to = &out[COLUMNS * bodies[body]];
		for (int c = 0; c < COLUMNS; c++) {
			for (int l = 0; l < ABUT_LANES; l++) {
				to[c][l] = from[c][l] * inverse[c];
				sum[l] += 0.0 * from[c][l];
			}
		}
	}
	return abut_lanes_sum(sum) == 0.0;
}

AbutStatus abut_gradient_backward_eight(const AbutGradient *gradient, const AbutLanes *by_next, AbutLanes *out,
                                        AbutLanes *parameters, AbutError *error)
{
	const size_t n = (size_t)abut_gradient_largest_island(gradient);
	if (!abut_gradient_room_reserve(gradient->room, (ROWS + COLUMNS) * n * sizeof(AbutLanes))) {
		return abut_gradient_refuse(gradient, ABUT_ERROR_MEMORY, error);
	}
	AbutLanes *by = gradient->room->memory, *own = by + ROWS * n;
	bool solved = true;
	memset(parameters, 0, (size_t)gradient->n_parameters * sizeof *parameters);
	for (int i = 0, first = 0; i < gradient->n_islands; i++) {
		const AbutGradientIsland *island = abut_gradient_island(gradient, first);
		const int *bodies = &gradient->bodies[first];
		gather_back(gradient, bodies, island->n_bodies, by_next, by);
		memset(own, 0, COLUMNS * (size_t)island->n_bodies * sizeof *own);
		solved = abut_gradient_part_backward(island->parts[0], by, own, parameters) && solved;
		solved = scatter_back(gradient, bodies, island->n_bodies, own, out) && solved;
		first += island->n_bodies;
	}
	for (int i = 0; i < gradient->n_parameters; i++) {
		for (int l = 0; l < ABUT_LANES; l++) {
			parameters[i][l] /= gradient->parameter_unit[i];
		}
	}
	return solved ? ABUT_OK : abut_gradient_refuse(gradient, ABUT_ERROR_NUMERICAL, error);
}
