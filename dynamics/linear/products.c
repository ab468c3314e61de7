/* Multiplies the derivative in joint coordinates: x spreads to the states of the bodies (dynamics/linear/tangent.h),
 * the step carries them on (dynamics/gradient/eight.h), and the rows of coordinates reduce the result
 * (dynamics/linear/rows.h). The columns of the matrices are eight such products at once. Tested in
 * tests/dynamics/linear/test_linear.c. */
#include "dynamics/linear/products.h"

#include <string.h>

#include "base/error.h"
#include "dynamics/gradient/eight.h"
#include "dynamics/linear/by_rows.h"
#include "dynamics/linear/create.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS };

static AbutStatus not_given(AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "linear and the vectors must be given");
}

static int count_columns(const AbutLinear *linear)
{
	return linear->n_x + linear->n_motors + linear->n_parameters;
}

/* --- forward --- */

/* Multiplies by the eight vectors (x, u, p) in linear->by into linear->out. */
static AbutStatus multiply(AbutLinear *linear, AbutError *error)
{
	const int n_parameters = linear->n_motors + linear->n_parameters;
	abut_tangent_spread(&linear->start, linear->by, linear->scratch, linear->change);
	const AbutStatus status = abut_gradient_forward_eight(
	    linear->gradient, linear->change, n_parameters > 0 ? linear->by + linear->n_x : NULL, linear->next, error);
	abut_coordinate_rows_multiply(linear->n_x, linear->rows, linear->next, linear->out);
	return status;
}

AbutStatus abut_linear_columns(AbutLinear *linear, int first, int count, AbutStatus before, AbutError *error)
{
	AbutError own = {.status = ABUT_OK};
	memset(linear->by, 0, (size_t)count_columns(linear) * sizeof *linear->by);
	for (int lane = 0; lane < count; lane++) {
		linear->by[first + lane][lane] = 1.0;
	}
	const AbutStatus status = multiply(linear, &own);
	if (before != ABUT_OK && status != ABUT_ERROR_MEMORY) {
		return before;
	}
	if (status != ABUT_OK && error) {
		*error = own;
	}
	return status;
}

/* Writes `count` columns from `first` on, counted over A, B and P, to these matrices. */
static void write_columns(const AbutLinear *linear, int first, int count, double *const matrices[3])
{
	const int widths[3] = {linear->n_x, linear->n_motors, linear->n_parameters};
	for (int lane = 0; lane < count; lane++) {
		int which = 0, column = first + lane;
		for (; which < 2 && column >= widths[which]; which++) {
			column -= widths[which];
		}
		double *out = matrices[which];
		for (int row = 0; out && row < linear->n_x; row++) {
			out[(size_t)row * (size_t)widths[which] + (size_t)column] = linear->out[row][lane];
		}
	}
}

/* Computes the matrices by columns. */
static AbutStatus by_columns(AbutLinear *linear, double *const matrices[3], AbutError *error)
{
	const int n = count_columns(linear), wanted[3] = {0, linear->n_x, linear->n_x + linear->n_motors};
	AbutStatus status = ABUT_OK;
	for (int first = matrices[0] ? 0 : matrices[1] ? wanted[1] : wanted[2]; first < n; first += ABUT_LANES) {
		const int count = first + ABUT_LANES < n ? ABUT_LANES : n - first;
		status = abut_linear_columns(linear, first, count, status, error);
		write_columns(linear, first, count, matrices);
	}
	return status;
}

AbutStatus abut_linear_matrices(AbutLinear *linear, double *A, double *B, double *P, AbutError *error)
{
	if (!linear) {
		return not_given(error);
	}
	ABUT_TRY(abut_linear_place(linear, error));
	double *const matrices[3] = {A, B, P};
	return abut_gradient_is_whole(linear->gradient) ? abut_linear_by_rows(linear, matrices, error)
	                                                : by_columns(linear, matrices, error);
}

AbutStatus abut_linear_forward(AbutLinear *linear, const double *x, const double *u, const double *p, double *out,
                               AbutError *error)
{
	if (!linear || !x || !out) {
		return not_given(error);
	}
	const int widths[3] = {linear->n_x, linear->n_motors, linear->n_parameters};
	const double *const from[3] = {x, u, p};
	static const char *const names[3] = {"x", "u", "p"};
	ABUT_TRY(abut_linear_place(linear, error));
	memset(linear->by, 0, (size_t)count_columns(linear) * sizeof *linear->by);
	for (int i = 0, first = 0; i < 3; first += widths[i++]) {
		ABUT_TRY(abut_error_unless_finite(names[i], (size_t)widths[i], from[i], error));
		for (int k = 0; from[i] && k < widths[i]; k++) {
			linear->by[first + k][0] = from[i][k];
		}
	}
	const AbutStatus status = multiply(linear, error);
	for (int i = 0; i < linear->n_x; i++) {
		out[i] = linear->out[i][0];
	}
	return status;
}

/* --- backward --- */

AbutStatus abut_linear_backward(AbutLinear *linear, const double *by_next, double *by_x, double *by_u, double *by_p,
                                AbutError *error)
{
	if (!linear || !by_next || !by_x) {
		return not_given(error);
	}
	const size_t n = (size_t)linear->model->n_moving, n_u = (size_t)linear->n_motors;
	double *const next = linear->single, *const change = next + ROWS * n, *const parameters = &linear->by[0][0];
	ABUT_TRY(abut_linear_place(linear, error));
	ABUT_TRY(abut_error_unless_finite("by_next", (size_t)linear->n_x, by_next, error));
	memset(linear->next, 0, ROWS * n * sizeof *linear->next);
	for (int i = 0; i < linear->n_x; i++) {
		abut_coordinate_row_pull(&linear->rows[i], by_next[i], 0, linear->next);
	}
	for (size_t i = 0; i < ROWS * n; i++) {
		next[i] = linear->next[i][0];
	}
	const AbutStatus status = abut_gradient_backward(linear->gradient, next, change, parameters, error);
	if (status != ABUT_OK && status != ABUT_ERROR_NUMERICAL && status != ABUT_ERROR_UNSUPPORTED) {
		return status;
	}
	memset(linear->change, 0, COLUMNS * n * sizeof *linear->change);
	for (size_t i = 0; i < COLUMNS * n; i++) {
		linear->change[i][0] = change[i];
	}
	abut_tangent_gather(&linear->start, linear->change, linear->scratch, linear->out);
	for (int i = 0; i < linear->n_x; i++) {
		by_x[i] = linear->out[i][0];
	}
	if (by_u) {
		memcpy(by_u, parameters, n_u * sizeof *by_u);
	}
	if (by_p) {
		memcpy(by_p, parameters + n_u, (size_t)linear->n_parameters * sizeof *by_p);
	}
	return status;
}
