/* A primitive of the user's own, given by its rows. Each cone is brought to a length: its rows are divided by the
 * largest row of A in it (of B where A is zero there), which changes no set, since K is made of cones. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "shapes/composite.h"
#include "shapes/conic.h"
#include "shapes/conic_query.h"

static AbutStatus refuse(const char *key, const char *what, AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_ARGUMENT, key, "%s", what);
}

static AbutStatus check_sizes(const AbutConicData *data, AbutError *error)
{
	if (data->n_rows < 1 || data->n_rows > ABUT_QUERY_ROWS) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "A", "A has %d rows; there must be 1 to %d",
		                      data->n_rows, (int)ABUT_QUERY_ROWS);
	}
	if (data->n_eps < 0 || data->n_eps > ABUT_QUERY_EPS) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "B",
		                      "B has %d columns; there may be 0 to %d auxiliary variables", data->n_eps,
		                      (int)ABUT_QUERY_EPS);
	}
	if (!data->A || !data->d || !data->h || (data->n_eps > 0 && !data->B)) {
		return refuse("A", "A, d, h or B is NULL; all are needed, B but for n_eps = 0", error);
	}
	if (data->n_orthant < 0 || data->n_soc < 0 || (data->n_soc > 0 && !data->soc_dim)) {
		return refuse("cones",
		              "the cones' numbers must be at least 0, with the entries of each second-order cone",
		              error);
	}
	int rows = data->n_orthant;
	for (int i = 0; i < data->n_soc; i++) {
		if (data->soc_dim[i] < 2 || data->soc_dim[i] > data->n_rows) {
			return abut_error_set(
			    error, ABUT_ERROR_ARGUMENT, "cones",
			    "second-order cone %d has %d entries; it must have 2 to %d, as many as rows", i,
			    data->soc_dim[i], data->n_rows);
		}
		rows += data->soc_dim[i];
	}
	if (rows != data->n_rows) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "cones",
		                      "the cones have %d rows, A has %d; they must cover the rows, each once", rows,
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
			if (!(fabs(lists[k].values[i]) <= 1e150)) {
				return abut_error_set(error, ABUT_ERROR_ARGUMENT, lists[k].name,
				                      "%s of row %d is %g; it must be finite", lists[k].name,
				                      i / lists[k].columns, lists[k].values[i]);
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

/* `count` rows from `first` on, of one cone. */
static AbutStatus take_cone(const AbutConicData *data, int first, int count, AbutShape *shape, AbutError *error)
{
	double *A = abut_shape_edit(shape->A), *B = abut_shape_edit(shape->B), *d = abut_shape_edit(shape->d),
	       *h = abut_shape_edit(shape->h);
	const int n_eps = data->n_eps;
	double largest = largest_row(data->A, 3, first, count);
	if (!(largest > 0.0)) {
		largest = largest_row(data->B, n_eps, first, count);
	}
	if (!(largest > 0.0)) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, "A",
		    "rows %d to %d of A and B are zero: they say nothing of any point; leave them out", first,
		    first + count - 1);
	}
	for (int i = first; i < first + count; i++) {
		for (int k = 0; k < 3; k++) {
			A[3 * i + k] = data->A[3 * i + k] / largest;
		}
		for (int k = 0; k < n_eps; k++) {
			B[n_eps * i + k] = data->B[n_eps * i + k] / largest;
		}
		d[i] = data->d[i] / largest;
		h[i] = data->h[i] / largest;
		if (!(fabs(d[i]) + fabs(h[i]) <= ABUT_LENGTH_MAX)) {
			return abut_error_set(
			    error, ABUT_ERROR_ARGUMENT, "d",
			    "d and h of row %d are %g and %g for a row of A of unit length; they must be "
			    "at most %g in size (metres)",
			    i, d[i], h[i], ABUT_LENGTH_MAX);
		}
	}
	return ABUT_OK;
}

static AbutStatus take_rows(const AbutConicData *data, AbutShape *shape, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < data->n_orthant; i++) {
		status = take_cone(data, i, 1, shape, error);
	}
	for (int k = 0, row = data->n_orthant; status == ABUT_OK && k < data->n_soc; row += data->soc_dim[k++]) {
		status = take_cone(data, row, data->soc_dim[k], shape, error);
	}
	return status;
}

static AbutStatus finish(AbutShape *shape, AbutError *error)
{
	double size = 0.0;
	for (int i = 0; i < shape->n_rows; i++) {
		size = fmax(size, fabs(shape->d[i] + shape->h[i]));
	}
	if (!(size >= ABUT_LENGTH_MIN)) {
		return refuse(
		    "d", "h + d is zero or too small in all rows: the set is a cone or a point, without a size", error);
	}
	const AbutStatus status = abut_composite_locate(shape, size, "A", error);
	return status == ABUT_OK ? abut_composite_finish(shape, "A", error) : status;
}

AbutStatus abut_shape_create_conic(const AbutConicData *data, AbutShape **out, AbutError *error)
{
	AbutStatus status = abut_shape_check_out(out, error);
	if (!data) {
		return status == ABUT_OK ? refuse("data", "data is NULL; it must hold the rows of a shape", error)
		                         : status;
	}
	if (status == ABUT_OK) {
		status = check_sizes(data, error);
	}
	if (status == ABUT_OK) {
		status = check_numbers(data, error);
	}
	if (status == ABUT_OK) {
		status = abut_shape_allocate(ABUT_SHAPE_CONIC, data->n_orthant, data->n_soc, data->soc_dim, data->n_eps,
		                             0, out, error);
	}
	if (status == ABUT_OK) {
		status = take_rows(data, *out, error);
	}
	if (status == ABUT_OK) {
		status = finish(*out, error);
	}
	if (status != ABUT_OK && out) {
		abut_shape_destroy(*out);
		*out = NULL;
	}
	return status;
}
