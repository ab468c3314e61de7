/* Products with the derivative of a step, island by island and part by part: eight changes forward, of which parameters
 * take one each, and one cost backward. Tested against the matrix in tests/dynamics/test_gradient_products.c. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/gradient.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS };

/* Scratch of `vectors` vectors of COLUMNS numbers for each body of the largest island, and `numbers` more; NULL: no
 * memory. */
static double *take(const AbutGradient *gradient, int vectors, int numbers)
{
	const size_t n_bodies = (size_t)abut_gradient_largest_island(gradient);
	return calloc(COLUMNS * (size_t)vectors * n_bodies + (size_t)numbers + 1, sizeof(double));
}

static AbutStatus not_given(AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "gradient and the vectors must be given");
}

static AbutStatus end(const AbutGradient *gradient, bool finite, double *scratch, AbutError *error)
{
	free(scratch);
	return finite ? ABUT_OK : abut_gradient_refuse(gradient, ABUT_ERROR_NUMERICAL, error);
}

/* --- forward --- */

/* `change` (18 n) becomes that of the state after in its first 12 of each 18, `next` (12 n) the last state's. */
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

AbutStatus abut_gradient_forward(const AbutGradient *gradient, const double *change, const double *by_parameter,
                                 double *out, AbutError *error)
{
	if (!gradient || !change || !out) {
		return not_given(error);
	}
	const int n_parameters = by_parameter ? gradient->n_parameters : 0;
	AbutStatus status = abut_gradient_ready(gradient, error);
	if (status == ABUT_OK) {
		status = abut_error_unless_finite("change", COLUMNS * (size_t)gradient->model->n_moving, change, error);
	}
	if (status == ABUT_OK) {
		status = abut_error_unless_finite("by_parameter", (size_t)n_parameters, by_parameter, error);
	}
	if (status != ABUT_OK) {
		return status;
	}
	double *scratch = take(gradient, 2 * ABUT_LANES, ABUT_LANES * n_parameters);
	if (!scratch) {
		return abut_gradient_refuse(gradient, ABUT_ERROR_MEMORY, error);
	}
	AbutLanes *parameters = (AbutLanes *)(void *)scratch, *own = parameters + n_parameters;
	for (int i = 0; i < n_parameters; i++) {
		parameters[i][0] = by_parameter[i] / gradient->parameter_unit[i];
	}
	bool solved = true;
	for (int i = 0, first = 0; i < gradient->n_islands; i++) {
		const AbutGradientIsland *island = abut_gradient_island(gradient, first);
		const int n = island->n_bodies, *bodies = &gradient->bodies[first];
		AbutLanes *next = own + COLUMNS * (size_t)n;
		for (int k = 0; k < COLUMNS * n; k++) {
			const int c = k % COLUMNS;
			own[k][0] = change[COLUMNS * bodies[k / COLUMNS] + c] / gradient->unit[c];
		}
		solved = island_forward(island, own, n_parameters > 0 ? parameters : NULL, next) && solved;
		for (int k = 0; k < ROWS * n; k++) {
			out[ROWS * bodies[k / ROWS] + k % ROWS] = next[k][0] * gradient->unit[k % ROWS];
		}
		first += n;
	}
	return end(gradient, solved && abut_all_finite(out, ROWS * gradient->model->n_moving), scratch, error);
}

/* Columns of eight parameters from `from` on, of the island whose bodies begin at `first`. */
static bool write_parameters(const AbutGradient *gradient, int first, int from, AbutLanes *parameters, AbutLanes *own,
                             double *out)
{
	const AbutGradientIsland *island = abut_gradient_island(gradient, first);
	const int n = island->n_bodies, n_parameters = gradient->n_parameters;
	const int end = from + ABUT_LANES < n_parameters ? from + ABUT_LANES : n_parameters;
	AbutLanes *next = own + COLUMNS * (size_t)n;
	memset(parameters, 0, (size_t)n_parameters * sizeof *parameters);
	memset(own, 0, COLUMNS * (size_t)n * sizeof *own);
	for (int i = from; i < end; i++) {
		parameters[i][i - from] = 1.0;
	}
	const bool solved = island_forward(island, own, parameters, next);
	for (int k = 0; k < ROWS * n; k++) {
		const size_t row = ROWS * (size_t)gradient->bodies[first + k / ROWS] + (size_t)(k % ROWS);
		for (int i = from; i < end; i++) {
			out[row * (size_t)n_parameters + (size_t)i] =
			    next[k][i - from] * gradient->unit[k % ROWS] / gradient->parameter_unit[i];
		}
	}
	return solved;
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
	bool finite = true;
	AbutLanes *parameters = (AbutLanes *)(void *)scratch;
	for (int i = 0, first = 0; i < gradient->n_islands; i++) {
		for (int from = 0; from < n_parameters; from += ABUT_LANES) {
			finite = write_parameters(gradient, first, from, parameters, parameters + n_parameters, out) &&
			         finite;
		}
		first += abut_gradient_island(gradient, first)->n_bodies;
	}
	for (int row = 0; row < ROWS * gradient->model->n_moving; row++) {
		finite = finite && abut_all_finite(&out[(size_t)row * (size_t)n_parameters], n_parameters);
	}
	return end(gradient, finite, scratch, error);
}

/* --- backward --- */

/* `by_next` (12 n) becomes that by the state, and `out` (18 n) that by all; `later` is what parts after have added. */
static bool island_backward(const AbutGradientIsland *island, double *by_next, double *later, double *out,
                            double *parameters)
{
	const int last = island->n_parts - 1;
	bool solved = true;
	for (int i = last; i >= 0; i--) {
		solved = abut_gradient_part_backward(island->parts[i], by_next, out, parameters) && solved;
		for (int k = 0; k < COLUMNS * island->n_bodies; k++) {
			const int body = k / COLUMNS, c = k % COLUMNS;
			if (c < ROWS) {
				by_next[ROWS * body + c] = out[k];
			} else if (i < last) {
				out[k] += later[k];
			}
			later[k] = out[k];
		}
	}
	return solved;
}

AbutStatus abut_gradient_backward(const AbutGradient *gradient, const double *by_next, double *out, double *parameters,
                                  AbutError *error)
{
	if (!gradient || !by_next || !out) {
		return not_given(error);
	}
	AbutStatus status = abut_gradient_ready(gradient, error);
	if (status == ABUT_OK) {
		status = abut_error_unless_finite("by_next", ROWS * (size_t)gradient->model->n_moving, by_next, error);
	}
	if (status != ABUT_OK) {
		return status;
	}
	const int n_parameters = gradient->n_parameters;
	double *scratch = take(gradient, 3, n_parameters);
	if (!scratch) {
		return abut_gradient_refuse(gradient, ABUT_ERROR_MEMORY, error);
	}
	bool solved = true;
	double *own_parameters = scratch, *by = scratch + n_parameters;
	for (int i = 0, first = 0; i < gradient->n_islands; i++) {
		const AbutGradientIsland *island = abut_gradient_island(gradient, first);
		const int n = island->n_bodies, *bodies = &gradient->bodies[first];
		double *later = by + COLUMNS * (size_t)n, *own = later + COLUMNS * (size_t)n;
		for (int k = 0; k < ROWS * n; k++) {
			by[k] = by_next[ROWS * bodies[k / ROWS] + k % ROWS] * gradient->unit[k % ROWS];
		}
		solved = island_backward(island, by, later, own, own_parameters) && solved;
		for (int k = 0; k < COLUMNS * n; k++) {
			const int c = k % COLUMNS;
			out[COLUMNS * bodies[k / COLUMNS] + c] = own[k] / gradient->unit[c];
		}
		first += n;
	}
	for (int i = 0; parameters && i < n_parameters; i++) {
		parameters[i] = own_parameters[i] / gradient->parameter_unit[i];
	}
	const bool finite = solved && abut_all_finite(out, COLUMNS * gradient->model->n_moving) &&
	                    (!parameters || abut_all_finite(parameters, n_parameters));
	return end(gradient, finite, scratch, error);
}
