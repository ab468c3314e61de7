/* Computes values, first and second derivatives of a smooth shape's rows in the variables of the solver's kernels. */
#include "collision/rows/smooth_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"

/* Returns the total number of doubles in the arrays of AbutSmoothRows. */
static size_t count_doubles(int n_rows, int width)
{
	const size_t n = (size_t)n_rows, w = (size_t)width;
	return w + n + 2 * n * w + 2 * w * w;
}

/* One block of memory with a copy of the rows, their smooth part and its arrays. */
typedef struct Placed {
	AbutConicRows rows;
	AbutSmoothRows smooth;
	double arrays[];
} Placed;

int abut_conic_rows_place_size(const AbutConicRows *rows)
{
	if (!rows->smooth) {
		return 0;
	}
	const size_t bytes = sizeof(Placed) + count_doubles(rows->n_rows, rows->width) * sizeof(double);
	return (int)((bytes + sizeof(double) - 1) / sizeof(double));
}

static void point_into(AbutSmoothRows *smooth, int n_rows, int width, double *arrays)
{
	smooth->v = arrays;
	smooth->weight = smooth->v + width;
	smooth->G = smooth->weight + n_rows;
	smooth->W = smooth->G + n_rows * width;
	smooth->D = smooth->W + n_rows * width;
	smooth->C = smooth->D + width * width;
}

const AbutConicRows *abut_conic_rows_place(const AbutConicRows *rows, double *memory)
{
	if (!rows->smooth) {
		return rows;
	}
	Placed *placed = (Placed *)(void *)memory;
	memset(placed, 0, sizeof *placed + count_doubles(rows->n_rows, rows->width) * sizeof(double));
	placed->rows = *rows;
	placed->smooth = *rows->smooth;
	placed->smooth.broken = false;
	placed->rows.smooth = &placed->smooth;
	point_into(&placed->smooth, rows->n_rows, rows->width, placed->arrays);
	placed->rows.W = placed->smooth.W;
	return &placed->rows;
}

bool abut_conic_rows_broken(const AbutConicRows *rows)
{
	return rows->smooth && rows->smooth->broken;
}

AbutStatus abut_smooth_rows_create(AbutConicRows *rows)
{
	const AbutShape *shape = rows->shape;
	Placed *placed = calloc(1, sizeof *placed + count_doubles(rows->n_rows, rows->width) * sizeof(double));
	if (!placed) {
		return ABUT_ERROR_MEMORY;
	}
	AbutSmoothRows *smooth = &placed->smooth;
	const double *R = shape->rotation, relative = rows->unit / shape->smooth_unit;
	double from[3];
	abut_sub3(shape->centre, shape->position, from);
	abut_divide3(from, shape->smooth_unit, from);
	abut_mat3_tvec(R, from, from); /* the scaling centre, in the functions' frame */
	abut_sub3(from, shape->smooth->centre, smooth->t);
	abut_scale3(-1.0, smooth->t, smooth->m);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			smooth->M[3 * i + j] = R[3 * j + i] * relative;
			smooth->m[i] += R[3 * j + i] * (rows->origin[j] - shape->position[j]) / shape->smooth_unit;
		}
	}
	smooth->functions = shape->smooth;
	smooth->unit = relative;
	smooth->scale = shape->smooth_unit / rows->divisor;
	point_into(smooth, rows->n_rows, rows->width, placed->arrays);
	rows->n_orthant = rows->n_rows;
	rows->W = smooth->W;
	rows->smooth = smooth;
	rows->memory = placed;
	return ABUT_OK;
}

/* Computes v = (M p + m + alpha t, alpha, unit eps). */
static void place(AbutSmoothRows *smooth, int n_eps, const AbutRowsPoint *point)
{
	abut_mat3_vec(smooth->M, point->p, smooth->v);
	for (int i = 0; i < 3; i++) {
		smooth->v[i] += smooth->m[i] + point->alpha * smooth->t[i];
	}
	smooth->v[3] = point->alpha;
	for (int e = 0; e < n_eps; e++) {
		smooth->v[4 + e] = smooth->unit * point->eps[e];
	}
}

/* Computes out = row L, from a row of derivatives with respect to the functions' variables v. */
static void pull_back(const AbutSmoothRows *smooth, int width, const double *row, double *out)
{
	abut_mat3_tvec(smooth->M, row, out);
	out[3] = row[3] + abut_dot3(row, smooth->t);
	for (int e = 4; e < width; e++) {
		out[e] = smooth->unit * row[e];
	}
}

void abut_smooth_rows_evaluate(const AbutConicRows *rows, const AbutRowsPoint *point, double *H, double g[3],
                               double *d_lambda, double *B_lambda)
{
	AbutSmoothRows *smooth = rows->smooth;
	const double *lambda = point->lambda;
	const int width = rows->width;
	double sums[4] = {0.0, 0.0, 0.0, 0.0};
	place(smooth, rows->n_eps, point);
	smooth->functions->value(smooth->functions->data, smooth->v, H);
	smooth->functions->gradient(smooth->functions->data, smooth->v, smooth->G);
	/* functions are not reported as broken if the solver's own point is not finite */
	if (abut_all_finite(smooth->v, width) &&
	    !(abut_all_finite(H, rows->n_rows) && abut_all_finite(smooth->G, rows->n_rows * width))) {
		smooth->broken = true;
	}
	for (int j = 0; j < rows->n_eps; j++) {
		B_lambda[j] = 0.0;
	}
	for (int i = 0; i < rows->n_rows; i++) {
		double *row = &smooth->W[i * width];
		pull_back(smooth, width, &smooth->G[i * width], row);
		H[i] *= -smooth->scale;
		for (int j = 0; j < width; j++) {
			row[j] *= -smooth->scale;
		}
		for (int j = 0; j < 4; j++) {
			sums[j] += row[j] * lambda[i];
		}
		for (int j = 4; j < width; j++) {
			B_lambda[j - 4] -= row[j] * lambda[i];
		}
		smooth->weight[i] = abut_max(lambda[i], 0.0);
	}
	abut_scale3(-1.0, sums, g);
	*d_lambda = sums[3];
}

const double *abut_smooth_rows_curvature(const AbutConicRows *rows)
{
	AbutSmoothRows *smooth = rows->smooth;
	const int width = rows->width;
	double *C = smooth->C, *D = smooth->D;
	smooth->functions->hessian(smooth->functions->data, smooth->v, smooth->weight, D);
	if (abut_all_finite(smooth->v, width) && !abut_all_finite(D, width * width)) {
		smooth->broken = true;
	}
	for (int i = 0; i < width; i++) { /* (D L)' = L' D, because D is symmetric */
		pull_back(smooth, width, &D[i * width], &C[i * width]);
	}
	for (int i = 0; i < width; i++) {
		for (int j = 0; j < width; j++) {
			D[i * width + j] = smooth->scale * C[j * width + i];
		}
	}
	for (int i = 0; i < width; i++) {
		pull_back(smooth, width, &D[i * width], &C[i * width]);
	}
	return C;
}
