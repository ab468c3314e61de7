/* Multiplies the derivative of a step by vectors, island by island and part by part. Forward products take one change
 * of state and input, or eight parameters at once. Backward products take the gradient of one cost. Tested against the
 * matrix in tests/dynamics/gradient/test_gradient_products.c. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/gradient/gradient.h"
#include "dynamics/gradient/part.h"
#include "dynamics/gradient/products.h"
#include "dynamics/gradient/refuse.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS };

/* Returns zeroed scratch, or NULL if memory runs out. It holds `vectors` vectors of COLUMNS numbers for each body of
 * the largest island, and `numbers` more numbers. */
static double *take(const AbutGradient *gradient, int vectors, int numbers)
{
	const size_t n_bodies = (size_t)abut_gradient_largest_island(gradient);
	const size_t n = COLUMNS * (size_t)vectors * n_bodies + (size_t)numbers;
	return abut_gradient_room_reserve(gradient->room, n * sizeof(double))
	           ? memset(gradient->room->memory, 0, n * sizeof(double))
	           : NULL;
}

static AbutStatus not_given(AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "gradient and the vectors must be given");
}

/* The first of several statuses, with its error. */
typedef struct Outcome {
	AbutStatus status;
	AbutError *error;
} Outcome;

/* Returns where to write the next error, so that only the first error is kept. */
static AbutError *place_for(const Outcome *outcome, AbutError *unused)
{
	return outcome->status == ABUT_OK ? outcome->error : unused;
}

/* Returns whether the island has its derivative with respect to `by`; otherwise the outcome says why not. */
static bool has(const AbutGradient *gradient, const AbutGradientIsland *island, int by, Outcome *outcome)
{
	AbutError unused;
	const AbutStatus status = abut_gradient_has(gradient, island, by, place_for(outcome, &unused));
	outcome->status = outcome->status == ABUT_OK ? status : outcome->status;
	return status == ABUT_OK;
}

/* Records that a solve of the island did not give finite numbers. */
static void fail(const AbutGradient *gradient, Outcome *outcome)
{
	AbutError unused;
	(void)abut_gradient_refuse(gradient, ABUT_ERROR_NUMERICAL, place_for(outcome, &unused));
	outcome->status = outcome->status == ABUT_OK ? ABUT_ERROR_NUMERICAL : outcome->status;
}

static bool is_zero(const double *values, int n)
{
	bool zero = true;
	for (int i = 0; i < n; i++) {
		zero = zero && values[i] == 0.0;
	}
	return zero;
}

/* --- forward --- */

/* Computes the change of the state after the step into `next` (12 n), from `change` (18 n) and `parameters`. Also
 * overwrites the first 12 of each body's 18 numbers in `change` with it. */
static bool island_forward(const AbutGradientIsland *island, AbutLanes *change, const AbutLanes *parameters,
                           AbutLanes *next)
{
	bool solved = true;
	for (int i = 0; solved && i < island->n_parts; i++) {
		solved = abut_gradient_part_forward(island->parts[i], change, parameters, next);
		for (int body = 0; body < island->n_bodies; body++) {
			memcpy(&change[COLUMNS * body], &next[ROWS * body], ROWS * sizeof *next);
		}
	}
	return solved;
}

/* Returns whether the island has a derivative along a change of its bodies and of the parameters (NULL: none). */
static bool has_along(const AbutGradient *gradient, int first, const double *change, const double *by_parameter,
                      Outcome *outcome)
{
	const AbutGradientIsland *island = abut_gradient_island(gradient, first);
	bool moved = false, pushed = false;
	for (int i = 0; i < island->n_bodies; i++) {
		const double *own = &change[COLUMNS * gradient->bodies[first + i]];
		moved = moved || !is_zero(own, ABUT_GRADIENT_LINEAR);
		pushed = pushed || !is_zero(&own[ABUT_GRADIENT_LINEAR], COLUMNS - ABUT_GRADIENT_LINEAR);
	}
	bool known = !moved || has(gradient, island, ABUT_BY_POSES, outcome);
	known = (!pushed || has(gradient, island, ABUT_BY_IMPULSES, outcome)) && known;
	for (int i = 0; by_parameter && i < gradient->n_parameters; i++) {
		known = (by_parameter[i] == 0.0 || has(gradient, island, ABUT_BY_PARAMETER + i, outcome)) && known;
	}
	return known;
}

/* Writes `next` (model units) to the rows of the island whose bodies begin at `first`, in SI; NaN if `next` is NULL. */
static void write_rows(const AbutGradient *gradient, int first, const AbutLanes *next, double *out)
{
	for (int k = 0; k < ROWS * abut_gradient_island(gradient, first)->n_bodies; k++) {
		out[ROWS * gradient->bodies[first + k / ROWS] + k % ROWS] =
		    next ? next[k][0] * gradient->unit[k % ROWS] : (double)NAN;
	}
}

/* Returns whether all of the island's rows are finite. */
static bool has_rows(const AbutGradient *gradient, int first, const double *out)
{
	bool finite = true;
	for (int i = 0; i < abut_gradient_island(gradient, first)->n_bodies; i++) {
		finite = finite && abut_all_finite(&out[ROWS * gradient->bodies[first + i]], ROWS);
	}
	return finite;
}

/* Computes the products of one island; `own` is scratch. */
static void forward(const AbutGradient *gradient, int first, const double *change, const AbutLanes *parameters,
                    AbutLanes *own, double *out, Outcome *outcome)
{
	const AbutGradientIsland *island = abut_gradient_island(gradient, first);
	const int n = island->n_bodies, *bodies = &gradient->bodies[first];
	AbutLanes *next = own + COLUMNS * (size_t)n;
	for (int k = 0; k < COLUMNS * n; k++) {
		const int c = k % COLUMNS;
		own[k][0] = change[COLUMNS * bodies[k / COLUMNS] + c] / gradient->unit[c];
	}
	const bool solved = island_forward(island, own, parameters, next);
	write_rows(gradient, first, next, out);
	if (!solved || !has_rows(gradient, first, out)) {
		write_rows(gradient, first, NULL, out);
		fail(gradient, outcome);
	}
}

AbutStatus abut_gradient_forward(const AbutGradient *gradient, const double *change, const double *by_parameter,
                                 double *out, AbutError *error)
{
	if (!gradient || !change || !out) {
		return not_given(error);
	}
	const int n_parameters = by_parameter ? gradient->n_parameters : 0;
	ABUT_TRY(abut_gradient_ready(gradient, error));
	ABUT_TRY(abut_error_unless_finite("change", COLUMNS * (size_t)gradient->model->n_moving, change, error));
	ABUT_TRY(abut_error_unless_finite("by_parameter", (size_t)n_parameters, by_parameter, error));
	double *scratch = take(gradient, 2 * ABUT_LANES, ABUT_LANES * n_parameters);
	if (!scratch) {
		return abut_gradient_refuse(gradient, ABUT_ERROR_MEMORY, error);
	}
	AbutLanes *parameters = (AbutLanes *)(void *)scratch, *own = parameters + n_parameters;
	for (int i = 0; i < n_parameters; i++) {
		parameters[i][0] = by_parameter[i] / gradient->parameter_unit[i];
	}
	Outcome outcome = {ABUT_OK, error};
	for (int i = 0, first = 0; i < gradient->n_islands; i++) {
		if (has_along(gradient, first, change, by_parameter, &outcome)) {
			forward(gradient, first, change, n_parameters > 0 ? parameters : NULL, own, out, &outcome);
		} else {
			write_rows(gradient, first, NULL, out);
		}
		first += abut_gradient_island(gradient, first)->n_bodies;
	}
	return outcome.status;
}

/* Writes the columns of up to eight parameters starting at `from`, for the island whose bodies begin at `first`. Writes
 * NaN for derivatives that do not exist. */
static void write_parameters(const AbutGradient *gradient, int first, int from, AbutLanes *parameters, AbutLanes *own,
                             double *out, Outcome *outcome)
{
	const AbutGradientIsland *island = abut_gradient_island(gradient, first);
	const int n = island->n_bodies, n_parameters = gradient->n_parameters;
	const int end = from + ABUT_LANES < n_parameters ? from + ABUT_LANES : n_parameters;
	AbutLanes *next = own + COLUMNS * (size_t)n;
	double sum = 0.0, absent[ABUT_LANES] = {0.0};
	bool solved = true;
	memset(parameters, 0, (size_t)n_parameters * sizeof *parameters);
	memset(own, 0, COLUMNS * (size_t)n * sizeof *own);
	for (int i = from; i < end; i++) {
		const bool known = has(gradient, island, ABUT_BY_PARAMETER + i, outcome);
		parameters[i][i - from] = known ? 1.0 : 0.0;
		absent[i - from] = known ? 0.0 : (double)NAN;
	}
	if (island->status == ABUT_OK) {
		solved = island_forward(island, own, parameters, next);
	} else {
		memset(next, 0, ROWS * (size_t)n * sizeof *next);
	}
	for (int k = 0; k < ROWS * n; k++) {
		const size_t row = ROWS * (size_t)gradient->bodies[first + k / ROWS] + (size_t)(k % ROWS);
		for (int i = from; i < end; i++) {
			const double value = next[k][i - from] * gradient->unit[k % ROWS] / gradient->parameter_unit[i];
			out[row * (size_t)n_parameters + (size_t)i] = solved ? value + absent[i - from] : (double)NAN;
			sum += 0.0 * value;
		}
	}
	if (!solved || sum != 0.0) {
		fail(gradient, outcome);
	}
}

AbutStatus abut_gradient_parameters(const AbutGradient *gradient, double *out, AbutError *error)
{
	if (!gradient || (!out && gradient->n_parameters > 0)) {
		return not_given(error);
	}
	const int n_parameters = gradient->n_parameters;
	const AbutStatus status = abut_gradient_ready(gradient, error);
	if (status != ABUT_OK || n_parameters == 0) {
		return status;
	}
	double *scratch = take(gradient, 2 * ABUT_LANES, ABUT_LANES * n_parameters);
	if (!scratch) {
		return abut_gradient_refuse(gradient, ABUT_ERROR_MEMORY, error);
	}
	Outcome outcome = {ABUT_OK, error};
	AbutLanes *parameters = (AbutLanes *)(void *)scratch;
	for (int i = 0, first = 0; i < gradient->n_islands; i++) {
		for (int from = 0; from < n_parameters; from += ABUT_LANES) {
			write_parameters(gradient, first, from, parameters, parameters + n_parameters, out, &outcome);
		}
		first += abut_gradient_island(gradient, first)->n_bodies;
	}
	return outcome.status;
}

/* --- backward --- */

/* Computes the gradient of a cost with respect to state and input, `out` (18 n), from the gradient with respect to the
 * next state, `by_next` (12 n), which is overwritten. `later` holds the gradient with respect to the inputs of later
 * parts. The cost is in lane 0. */
static bool island_backward(const AbutGradientIsland *island, AbutLanes *by_next, AbutLanes *later, AbutLanes *out,
                            AbutLanes *parameters)
{
	const int last = island->n_parts - 1;
	bool solved = true;
	for (int i = last; i >= 0; i--) {
		solved = abut_gradient_part_backward(island->parts[i], by_next, out, parameters) && solved;
		for (int k = 0; k < COLUMNS * island->n_bodies; k++) {
			const int body = k / COLUMNS, c = k % COLUMNS;
			if (c < ROWS) {
				by_next[ROWS * body + c][0] = out[k][0];
			} else if (i < last) {
				out[k][0] += later[k][0];
			}
			later[k][0] = out[k][0];
		}
	}
	return solved;
}

/* The scratch of a backward product. */
typedef struct Back {
	AbutLanes *by, *later, *own; /* (18 n) each, of the largest island */
	AbutLanes *parameters;       /* (n_parameters) the gradient so far, in model units */
} Back;

/* Computes the gradient of a cost through one island, from its bodies' entries of `by_next` to those of `out`. Entries
 * of `out` without a derivative become NaN. Adds the gradient with respect to the model's parameters to
 * back->parameters; of its first `n_wanted` entries, those without a derivative become NaN. */
static void backward(const AbutGradient *gradient, int first, const double *by_next, int n_wanted, const Back *back,
                     double *out, Outcome *outcome)
{
	const AbutGradientIsland *island = abut_gradient_island(gradient, first);
	const int n = island->n_bodies, *bodies = &gradient->bodies[first];
	double sum = 0.0;
	bool zero = true; /* the cost does not depend on the island */
	memset(back->by, 0, ROWS * (size_t)n * sizeof *back->by);
	for (int k = 0; k < ROWS * n; k++) {
		back->by[k][0] = by_next[ROWS * bodies[k / ROWS] + k % ROWS] * gradient->unit[k % ROWS];
		zero = zero && back->by[k][0] == 0.0;
	}
	const bool moved = zero || has(gradient, island, ABUT_BY_POSES, outcome);
	const bool pushed = zero || has(gradient, island, ABUT_BY_IMPULSES, outcome);
	bool solved = true;
	memset(back->own, 0, COLUMNS * (size_t)n * sizeof *back->own);
	if (!zero && island->status == ABUT_OK) {
		solved = island_backward(island, back->by, back->later, back->own, back->parameters);
	}
	for (int k = 0; k < COLUMNS * n; k++) {
		const int c = k % COLUMNS;
		const bool known = solved && (c < ABUT_GRADIENT_LINEAR ? moved : pushed);
		const double own = back->own[k][0];
		out[COLUMNS * bodies[k / COLUMNS] + c] = known ? own / gradient->unit[c] : (double)NAN;
		sum += known ? 0.0 * own : 0.0;
	}
	for (int i = 0; i < n_wanted; i++) {
		if (!zero && !(has(gradient, island, ABUT_BY_PARAMETER + i, outcome) && solved)) {
			back->parameters[i][0] = (double)NAN;
		} else {
			sum += 0.0 * back->parameters[i][0];
		}
	}
	if (!solved || sum != 0.0) {
		fail(gradient, outcome);
	}
}

AbutStatus abut_gradient_backward(const AbutGradient *gradient, const double *by_next, double *out, double *parameters,
                                  AbutError *error)
{
	if (!gradient || !by_next || !out) {
		return not_given(error);
	}
	ABUT_TRY(abut_gradient_ready(gradient, error));
	ABUT_TRY(abut_error_unless_finite("by_next", ROWS * (size_t)gradient->model->n_moving, by_next, error));
	const int n_parameters = gradient->n_parameters;
	double *scratch = take(gradient, 3 * ABUT_LANES, ABUT_LANES * n_parameters);
	if (!scratch) {
		return abut_gradient_refuse(gradient, ABUT_ERROR_MEMORY, error);
	}
	const size_t size = COLUMNS * (size_t)abut_gradient_largest_island(gradient);
	Back back = {.parameters = (AbutLanes *)(void *)scratch};
	back.by = back.parameters + n_parameters;
	back.later = back.by + size;
	back.own = back.later + size;
	Outcome outcome = {ABUT_OK, error};
	for (int i = 0, first = 0; i < gradient->n_islands; i++) {
		backward(gradient, first, by_next, parameters ? n_parameters : 0, &back, out, &outcome);
		first += abut_gradient_island(gradient, first)->n_bodies;
	}
	for (int i = 0; parameters && i < n_parameters; i++) {
		parameters[i] = back.parameters[i][0] / gradient->parameter_unit[i];
	}
	return outcome.status;
}
