/* Makes the row matrix and the cones of a shape, and evaluates its rows. */
#include "collision/rows/conic_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/clones.h"
#include "base/vec3.h"
#include "collision/rows/many_faces.h"
#include "collision/rows/smooth_rows.h"

static bool is_box(const AbutConicRows *rows)
{
	bool box = rows->n_rows == 6 && rows->n_orthant == 6 && rows->n_eps == 0;
	for (int i = 0; box && i < 6; i++) {
		for (int j = 0; j < 3; j++) {
			box = box && (j == i % 3 || rows->W[4 * i + j] == 0.0);
		}
	}
	return box;
}

AbutStatus abut_conic_rows_create(const AbutShape *shape, const double origin[3], double unit, AbutConicRows *out)
{
	return abut_conic_rows_create_divided(shape, origin, unit, shape->outer_radius, out);
}

/* Writes the rows W and h of a shape, divided by `size`, for points (p - origin) / unit. */
static void fill_rows(const AbutShape *shape, const double origin[3], double unit, double size, double *W, double *h)
{
	for (int i = 0; i < shape->n_rows; i++) {
		const double *A = &shape->A[3 * i];
		double *row = &W[i * (4 + shape->n_eps)];
		for (int j = 0; j < 3; j++) {
			row[j] = -A[j] / size;
		}
		row[3] = shape->d[i] / (unit * size);
		for (int j = 0; j < shape->n_eps; j++) {
			row[4 + j] = -shape->B[i * shape->n_eps + j] / size;
		}
		h[i] = (shape->h[i] - abut_dot3(A, origin)) / (unit * size);
	}
}

/* Makes the matrices of rows whose other fields are already set. */
static AbutStatus create_matrices(AbutConicRows *rows)
{
	const AbutShape *shape = rows->shape;
	const size_t n_W = (size_t)rows->n_rows * (size_t)rows->width;
	const bool many = shape->n_soc == 0 && shape->n_eps == 0 && shape->n_rows >= ABUT_MANY_FACES;
	const size_t n_doubles = n_W + (size_t)shape->n_rows + (many ? n_W : 0);
	double *block = calloc(1, n_doubles * sizeof(double) + ((size_t)shape->n_soc + 1) * sizeof(int));
	if (!block) {
		return ABUT_ERROR_MEMORY;
	}
	double *h = block + n_W, *columns = h + shape->n_rows;
	int *soc_dim = (int *)(void *)(block + n_doubles);
	fill_rows(shape, rows->origin, rows->unit, rows->bounded ? rows->divisor / rows->unit : 1.0, block, h);
	for (int i = 0; i < shape->n_soc; i++) {
		soc_dim[i] = shape->soc_dim[i];
	}
	rows->memory = block;
	rows->soc_dim = soc_dim;
	rows->W = block;
	rows->h = h;
	rows->box = is_box(rows);
	if (many) {
		abut_many_faces_fill(rows, columns);
		rows->columns = columns;
	}
	return ABUT_OK;
}

/* Sets the fields and makes the matrices. The rows of a bounded shape are divided by its outer radius, so that a start
 * does not depend on the shape's size. Products of slack and dual, to which kappa refers, do not change by the
 * division. */
AbutStatus abut_conic_rows_create_divided(const AbutShape *shape, const double origin[3], double unit, double divisor,
                                          AbutConicRows *out)
{
	const bool bounded = shape->kind != ABUT_SHAPE_HALFSPACE;
	*out = (AbutConicRows){.n_rows = shape->n_rows,
	                       .n_eps = shape->n_eps,
	                       .n_orthant = shape->n_orthant,
	                       .n_soc = shape->n_soc,
	                       .width = 4 + shape->n_eps,
	                       .outer_radius = shape->outer_radius / unit,
	                       .inner_radius = shape->inner_radius / unit,
	                       .divisor = bounded ? divisor : unit,
	                       .bounded = bounded,
	                       .shape = shape,
	                       .unit = unit};
	abut_copy3(origin, out->origin);
	abut_sub3(shape->centre, origin, out->centre);
	abut_divide3(out->centre, unit, out->centre);
	return shape->smooth ? abut_smooth_rows_create(out) : create_matrices(out);
}

void abut_conic_rows_as_given(const AbutShape *shape, const double origin[3], AbutConicRows *rows)
{
	bool inside = rows->bounded && abut_conic_rows_flat(rows);
	for (int i = 0; i < rows->n_rows; i++) {
		inside = inside && shape->d[i] + shape->h[i] > 0.0;
	}
	if (!inside) {
		return;
	}
	double *W = rows->memory, *h = W + rows->n_rows * rows->width;
	rows->outer_radius += abut_norm3(shape->centre); /* an upper bound about the new centre */
	rows->inner_radius = rows->outer_radius;
	abut_scale3(-1.0, origin, rows->centre);
	for (int i = 0; i < rows->n_rows; i++) {
		double *row = &W[i * rows->width];
		abut_scale3(-1.0, &shape->A[3 * i], row);
		row[3] = shape->d[i] + shape->h[i];
		h[i] = -abut_dot3(&shape->A[3 * i], origin);
		rows->inner_radius = abut_min(rows->inner_radius, row[3]);
	}
	if (rows->columns) {
		abut_many_faces_fill(rows, h + rows->n_rows);
	}
}

void abut_conic_rows_destroy(AbutConicRows *rows)
{
	free(rows->memory);
	memset(rows, 0, sizeof *rows);
}

static void add_cone(AbutCone *cones, int index, AbutConeKind kind, int offset, int dim, double weight, int *law)
{
	if (cones) {
		cones[index] = (AbutCone){.kind = kind, .offset = offset, .dim = dim, .weight = weight, .law = *law};
	}
	*law += abut_cone_law_size(kind, dim);
}

int abut_conic_rows_cones(const AbutConicRows *rows, int offset, double weight, int *law, AbutCone *cones)
{
	int count = 0;
	if (rows->n_orthant > 0) {
		add_cone(cones, count++, ABUT_CONE_ORTHANT, offset, rows->n_orthant, weight, law);
	}
	offset += rows->n_orthant;
	for (int i = 0; i < rows->n_soc; i++) {
		add_cone(cones, count++, ABUT_CONE_SOC, offset, rows->soc_dim[i], weight, law);
		offset += rows->soc_dim[i];
	}
	return count;
}

ALWAYS_INLINE void evaluate_width(int width, const AbutConicRows *rows, const AbutRowsPoint *point, double *restrict H,
                                  double g[3], double *d_lambda, double *restrict B_lambda)
{
	const double p0 = point->p[0], p1 = point->p[1], p2 = point->p[2], alpha = point->alpha, shift = point->shift;
	const double *eps = point->eps, *lambda = point->lambda;
	double sums[4] = {0.0, 0.0, 0.0, 0.0};
	for (int j = 0; j < width - 4; j++) {
		B_lambda[j] = 0.0;
	}
	for (int i = 0; i < rows->n_rows; i++) {
		const double *row = &rows->W[i * width];
		double value = rows->h[i] + shift + row[0] * p0 + row[1] * p1 + row[2] * p2 + row[3] * alpha;
		for (int j = 0; j < width - 4; j++) {
			value += row[4 + j] * eps[j];
			B_lambda[j] -= row[4 + j] * lambda[i];
		}
		H[i] = value;
		for (int j = 0; j < 4; j++) {
			sums[j] += row[j] * lambda[i];
		}
	}
	abut_scale3(-1.0, sums, g);
	*d_lambda = sums[3];
}

void abut_conic_rows_evaluate(const AbutConicRows *rows, const AbutRowsPoint *point, double *H, double g[3],
                              double *d_lambda, double *B_lambda)
{
	if (rows->smooth) {
		abut_smooth_rows_evaluate(rows, point, H, g, d_lambda, B_lambda);
	} else if (rows->columns) {
		abut_many_faces_evaluate(rows, point, H, g, d_lambda);
	} else if (rows->width == 4) {
		evaluate_width(4, rows, point, H, g, d_lambda, B_lambda);
	} else {
		evaluate_width(rows->width, rows, point, H, g, d_lambda, B_lambda);
	}
}

/* Changes the positive duals by d lambda_i = a_i.u with (sum a_i a_i') u = g - A' lambda, which is the smallest change.
 * a_i is row i of A. With one or two faces the matrix is singular; a small multiple of the identity keeps u finite. */
void abut_conic_rows_turn(const AbutConicRows *rows, const double g[3], double *lambda)
{
	static const double trace = 1e-7;
	double M[9] = {0.0}, rest[3] = {g[0], g[1], g[2]}, u[3];
	if (!abut_conic_rows_flat(rows)) {
		return;
	}
	for (int i = 0; i < rows->n_rows; i++) {
		const double *minus_a = &rows->W[i * rows->width];
		for (int j = 0; j < 3 && lambda[i] > 0.0; j++) {
			rest[j] += minus_a[j] * lambda[i];
			abut_add_scaled3(&M[3 * j], minus_a[j], minus_a, &M[3 * j]);
		}
	}
	const double small = trace * (M[0] + M[4] + M[8]);
	if (!(small > 0.0)) {
		return;
	}
	for (int j = 0; j < 3; j++) {
		M[4 * j] += small;
	}
	abut_sym3_solve(M, rest, u);
	for (int i = 0; i < rows->n_rows; i++) {
		if (lambda[i] > 0.0) {
			lambda[i] = abut_max(0.0, lambda[i] - abut_dot3(&rows->W[i * rows->width], u));
		}
	}
}
