/* Creates shapes from the rows of conic data. The rows of each cone are scaled to lengths: they are divided by the
 * length of the longest row of A in the cone (of B if A is zero there). This does not change the set. Auxiliary
 * variables that have no effect, or whose effect others have too, are removed (shapes/composed/columns.h). Tested in
 * tests/shapes/conic_data.c. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/composed/columns.h"
#include "shapes/composed/composite.h"
#include "shapes/core/conic.h"
#include "shapes/core/inputs.h"
#include "shapes/query/conic_query.h"

/* Largest magnitude of a number in the data; its square must not overflow. */
#define NUMBER_MAX 1e150

static AbutStatus refuse(const char *key, const char *what, AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_ARGUMENT, key, "%s", what);
}

static AbutStatus check_sizes(const AbutConicData *data, AbutError *error)
{
	if (data->n_rows < 1 || data->n_rows > ABUT_QUERY_ROWS) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "A", "A has %d rows; it must have 1 to %d",
		                      data->n_rows, (int)ABUT_QUERY_ROWS);
	}
	if (data->n_eps < 0 || data->n_eps > ABUT_QUERY_EPS) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "B",
		                      "B has %d columns; 0 to %d auxiliary variables are supported", data->n_eps,
		                      (int)ABUT_QUERY_EPS);
	}
	if (!data->A || !data->d || !data->h || (data->n_eps > 0 && !data->B)) {
		return refuse("A", "A, d, h or B is NULL; all are required (B unless n_eps is 0)", error);
	}
	if (data->n_orthant < 0 || data->n_soc < 0) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "cones",
		                      "there are %d orthant rows and %d second-order cones; both must be at least 0",
		                      data->n_orthant, data->n_soc);
	}
	if (data->n_soc > 0 && !data->soc_dim) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "cones",
		                      "soc_dim is NULL; it must hold the entries of each of %d second-order cones",
		                      data->n_soc);
	}
	int rows = data->n_orthant;
	for (int i = 0; i < data->n_soc; i++) {
		if (data->soc_dim[i] < 2 || data->soc_dim[i] > data->n_rows) {
			return abut_error_set(
			    error, ABUT_ERROR_ARGUMENT, "cones",
			    "second-order cone %d has %d entries; it must have 2 to %d, the number of rows", i,
			    data->soc_dim[i], data->n_rows);
		}
		rows += data->soc_dim[i];
	}
	if (rows != data->n_rows) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "cones",
		                      "the cones have %d rows, but A has %d; the cones must cover each row once", rows,
		                      data->n_rows);
	}
	return ABUT_OK;
}

static AbutStatus check_numbers(const AbutConicData *data, AbutError *error)
{
	const struct {
		const char *name;
		const double *values;
		int columns;
	} lists[] = {{"A", data->A, 3}, {"B", data->B, data->n_eps}, {"d", data->d, 1}, {"h", data->h, 1}};
	for (int k = 0; k < 4; k++) {
		for (int i = 0; lists[k].values && i < data->n_rows * lists[k].columns; i++) {
			if (!(fabs(lists[k].values[i]) <= NUMBER_MAX)) {
				return abut_error_set(error, ABUT_ERROR_ARGUMENT, lists[k].name,
				                      "%s of row %d is %g; its magnitude must be at most %g",
				                      lists[k].name, i / lists[k].columns, lists[k].values[i],
				                      NUMBER_MAX);
			}
		}
	}
	return ABUT_OK;
}

static double largest_row(const double *matrix, int columns, int first, int count)
{
	double most = 0.0;
	for (int i = first; i < first + count; i++) {
		double square = 0.0;
		for (int k = 0; k < columns; k++) {
			square = hypot(square, matrix[i * columns + k]);
		}
		most = fmax(most, square);
	}
	return most;
}

/* Sets the scale of one cone, the `count` rows that start at `first`: the length of the longest of these rows of
 * `matrix`. Returns false, without a scale, if all are zero. */
static bool scale_cone(const double *matrix, int columns, int first, int count, double *scale)
{
	const double largest = largest_row(matrix, columns, first, count);
	for (int i = first; i < first + count && largest > 0.0; i++) {
		scale[i] = largest;
	}
	return largest > 0.0;
}

/* Scales each column of B so that eps becomes a length like p: its largest entry, in rows that have a scale, equals the
 * scale of the row. A column without such an entry stays the same. */
static void scale_columns(const AbutConicData *data, const double *scale, double *B)
{
	for (int k = 0; k < data->n_eps; k++) {
		double largest = 0.0;
		for (int i = 0; i < data->n_rows; i++) {
			largest =
			    scale[i] > 0.0 ? fmax(largest, fabs(data->B[i * data->n_eps + k]) / scale[i]) : largest;
		}
		for (int i = 0; i < data->n_rows; i++) {
			B[i * data->n_eps + k] = data->B[i * data->n_eps + k] / (largest > 0.0 ? largest : 1.0);
		}
	}
}

/* Computes the scales of the cones from A, and those of cones without A from B, after its columns have been scaled to
 * lengths. B receives the scaled matrix. */
static AbutStatus scale_rows(const AbutConicData *data, double *scale, double *B, AbutError *error)
{
	const int n_cones = data->n_orthant + data->n_soc;
	for (int i = 0; i < data->n_rows; i++) {
		scale[i] = 0.0;
	}
	for (int by_B = 0; by_B < 2; by_B++) {
		for (int k = 0, first = 0, count; k < n_cones; k++, first += count) {
			count = k < data->n_orthant ? 1 : data->soc_dim[k - data->n_orthant];
			if (by_B && !(scale[first] > 0.0) && !scale_cone(B, data->n_eps, first, count, scale)) {
				return abut_error_set(error, ABUT_ERROR_ARGUMENT, "A",
				                      "rows %d to %d of A and B are zero, so that they constrain no "
				                      "point; leave them out",
				                      first, first + count - 1);
			}
			if (!by_B) {
				scale_cone(data->A, 3, first, count, scale);
			}
		}
		if (!by_B) {
			scale_columns(data, scale, B);
		}
	}
	for (int i = 0; i < data->n_rows * data->n_eps; i++) {
		B[i] /= scale[i / data->n_eps];
	}
	return ABUT_OK;
}

/* Writes the scaled A, d and h to the shape. */
static AbutStatus take_rows(const AbutConicData *data, const double *scale, AbutShape *shape, AbutError *error)
{
	double *A = abut_shape_edit(shape->A), *d = abut_shape_edit(shape->d), *h = abut_shape_edit(shape->h);
	for (int i = 0; i < data->n_rows; i++) {
		abut_divide3(&data->A[3 * i], scale[i], &A[3 * i]);
		d[i] = data->d[i] / scale[i];
		h[i] = data->h[i] / scale[i];
		if (!(fabs(d[i]) + fabs(h[i]) <= ABUT_LENGTH_MAX)) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, "d",
			                      "d and h of row %d are %g and %g for a row of A of unit length; their "
			                      "magnitude must be at most %g (metres)",
			                      i, d[i], h[i], ABUT_LENGTH_MAX);
		}
	}
	return ABUT_OK;
}

/* Allocates the shape with its rows and as few auxiliary variables as possible. */
static AbutStatus allocate(const AbutConicData *data, AbutShape **out, AbutError *error)
{
	double scale[ABUT_QUERY_ROWS], B[ABUT_QUERY_ROWS * ABUT_QUERY_EPS];
	ABUT_TRY(scale_rows(data, scale, B, error));
	const int n_eps = abut_columns_reduce(data->n_rows, data->n_eps, B);
	ABUT_TRY(
	    abut_shape_allocate(ABUT_SHAPE_CONIC, data->n_orthant, data->n_soc, data->soc_dim, n_eps, 0, out, error));
	memcpy(abut_shape_edit((*out)->B), B, (size_t)data->n_rows * (size_t)n_eps * sizeof *B);
	return take_rows(data, scale, *out, error);
}

static AbutStatus finish(AbutShape *shape, AbutError *error)
{
	double size = 0.0;
	for (int i = 0; i < shape->n_rows; i++) {
		size = fmax(size, fabs(shape->d[i] + shape->h[i]));
	}
	if (!(size >= ABUT_LENGTH_MIN)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "d",
		                      "the magnitude of h + d is at most %g, for rows of A of unit length: the set is "
		                      "a cone or a point; some row must have at least %g (metres)",
		                      size, ABUT_LENGTH_MIN);
	}
	const AbutStatus status = abut_composite_locate(shape, size, "A", error);
	return status == ABUT_OK ? abut_composite_finish(shape, &(AbutComposing){.where = "A"}, error) : status;
}

AbutStatus abut_shape_create_conic(const AbutConicData *data, AbutShape **out, AbutError *error)
{
	ABUT_TRY(abut_shape_check_out(out, error));
	if (!data) {
		return refuse("data", "data is NULL; the rows of a shape are required", error);
	}
	AbutStatus status = check_sizes(data, error);
	ABUT_THEN(status, check_numbers(data, error));
	ABUT_THEN(status, allocate(data, out, error));
	ABUT_THEN(status, finish(*out, error));
	if (status != ABUT_OK) {
		abut_shape_destroy(*out);
		*out = NULL;
	}
	return status;
}
