/* Multiplies the derivative of a step by eight changes of state, input and parameters at once, island by island and
 * part by part. Tested in tests/dynamics/linear/test_linear.c. */
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
	for (int body = 0; body < eight->island->n_bodies; body++) {
		const AbutLanes *from = &change[COLUMNS * eight->bodies[body]];
		for (int c = 0; c < COLUMNS; c++) {
			double *to = eight->own[COLUMNS * body + c], *used = c < ABUT_GRADIENT_LINEAR ? moved : pushed;
			const double unit = 1.0 / eight->gradient->unit[c];
			for (int l = 0; l < ABUT_LANES; l++) {
				to[l] = from[c][l] * unit;
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
