/* Evaluates, condenses and recovers the rows of a polytope, H = h + W u with u = (p, alpha), from the columns w_0 ..
 * w_3 of W. Under the law d lambda = c - K dH (collision/rows/shape_kernel.c), the entries are
 *
 *     W' lambda: w_a . lambda,     Q: sum over the faces of K w_a w_b,     k: sum over the faces of c w_a
 *
 * Tested in tests/collision/test_conic_rows.c and test_shape_kernel.c, with random polytopes of up to 36 faces, and by
 * comparison with loops over rows in tests/collision/test_many_faces.c. */
#include "collision/rows/many_faces.h"

#include "base/lanes.h"
#include "base/vec3.h"

enum { LANES = ABUT_LANES, PRODUCTS = 10 };

/* Sums of the four columns, and of the products of two columns (upper triangle, row by row). */
typedef struct ColumnSums {
	_Alignas(64) AbutLanes of[4];
} ColumnSums;

typedef struct ProductSums {
	_Alignas(64) AbutLanes of[PRODUCTS];
} ProductSums;

void abut_many_faces_fill(const AbutConicRows *rows, double *columns)
{
	for (int i = 0; i < rows->n_rows; i++) {
		for (int a = 0; a < 4; a++) {
			columns[a * rows->n_rows + i] = rows->W[4 * i + a];
		}
	}
}

/* Adds w_a[i] values[i] to the sums, for `n` faces from face i. */
ALWAYS_INLINE void add_columns(int n, const double *const w[4], int i, const double *restrict values,
                               ColumnSums *restrict sums)
{
	for (int a = 0; a < 4; a++) {
		for (int l = 0; l < n; l++) {
			sums->of[a][l] += w[a][i + l] * values[i + l];
		}
	}
}

ALWAYS_INLINE void sum_columns(int n_rows, const double *const w[4], const double *values, double out[4])
{
	ColumnSums sums = {0};
	int i = 0;
	for (; i + LANES <= n_rows; i += LANES) {
		add_columns(LANES, w, i, values, &sums);
	}
	add_columns(n_rows - i, w, i, values, &sums);
	for (int a = 0; a < 4; a++) {
		out[a] = abut_lanes_sum(sums.of[a]);
	}
}

/* Adds K w_a w_b to the sums, for `n` faces from face i. */
ALWAYS_INLINE void add_products(int n, const double *const w[4], int i, const double *restrict K,
                                ProductSums *restrict sums)
{
	_Alignas(64) AbutLanes scaled[4];
	for (int a = 0; a < 4; a++) {
		for (int l = 0; l < n; l++) {
			scaled[a][l] = K[i + l] * w[a][i + l];
		}
	}
	for (int a = 0, k = 0; a < 4; a++) {
		for (int b = a; b < 4; b++, k++) {
			for (int l = 0; l < n; l++) {
				sums->of[k][l] += scaled[a][l] * w[b][i + l];
			}
		}
	}
}

ALWAYS_INLINE void sum_products(int n_rows, const double *const w[4], const double *K, double Q[16])
{
	ProductSums sums = {0};
	int i = 0;
	for (; i + LANES <= n_rows; i += LANES) {
		add_products(LANES, w, i, K, &sums);
	}
	add_products(n_rows - i, w, i, K, &sums);
	for (int a = 0, k = 0; a < 4; a++) {
		for (int b = a; b < 4; b++, k++) {
			Q[4 * a + b] = Q[4 * b + a] = abut_lanes_sum(sums.of[k]);
		}
	}
}

#define COLUMNS_OF(rows)                                                                                               \
	{                                                                                                              \
		(rows)->columns, (rows)->columns + (rows)->n_rows, (rows)->columns + 2 * (rows)->n_rows,               \
		    (rows)->columns + 3 * (rows)->n_rows                                                               \
	}

ABUT_CLONES void abut_many_faces_evaluate(const AbutConicRows *rows, const AbutRowsPoint *point, double *restrict H,
                                          double g[3], double *d_lambda)
{
	const double *const w[4] = COLUMNS_OF(rows);
	const double u0 = point->p[0], u1 = point->p[1], u2 = point->p[2], alpha = point->alpha, shift = point->shift;
	double sums[4];
	for (int i = 0; i < rows->n_rows; i++) {
		H[i] = rows->h[i] + shift + w[0][i] * u0 + w[1][i] * u1 + w[2][i] * u2 + w[3][i] * alpha;
	}
	sum_columns(rows->n_rows, w, point->lambda, sums);
	abut_scale3(-1.0, sums, g);
	*d_lambda = sums[3];
}

ABUT_CLONES void abut_many_faces_condense(const AbutConicRows *rows, const AbutCone *cone, const AbutConeLaw *law,
                                          AbutShapeStiffness *out)
{
	const double *const w[4] = COLUMNS_OF(rows);
	sum_products(rows->n_rows, w, &law->K[cone->law], out->Q);
	sum_columns(rows->n_rows, w, &law->c[0][cone->offset], out->k[0]);
	sum_columns(rows->n_rows, w, &law->c[1][cone->offset], out->k[1]);
}

ABUT_CLONES void abut_many_faces_recover(const AbutConicRows *rows, const AbutCone *cone, const AbutConeLaw *law,
                                         double weight, const double d_point[4], double *restrict d_lambda,
                                         double *restrict dH)
{
	const double *const w[4] = COLUMNS_OF(rows);
	const double *K = &law->K[cone->law], *c0 = &law->c[0][cone->offset], *c1 = &law->c[1][cone->offset];
	const double u0 = d_point[0], u1 = d_point[1], u2 = d_point[2], u3 = d_point[3];
	for (int i = 0; i < rows->n_rows; i++) {
		const double change = w[0][i] * u0 + w[1][i] * u1 + w[2][i] * u2 + w[3][i] * u3;
		dH[i] = change;
		d_lambda[i] = c0[i] + weight * c1[i] - K[i] * change;
	}
}
