/* Condenses the rows of a shape under a cone law to a 4 x 4 stiffness, and recovers the changes of the rows (the shape
 * kernel). With u = (p, alpha, eps), H = h + W u and the law d lambda = c - K dH,
 *
 *     d(W' lambda) = W' c - (W' K W) du = f - F du.
 *
 * Let the indices p and e denote the blocks of (p, alpha) and of eps. Stationarity in eps, W_e' lambda = 0, eliminates
 * eps,
 *
 *     F_ee d eps = (W_e' lambda + f_e) - F_ep d(p, alpha),
 *
 * and leaves Q = F_pp - F_pe F_ee^-1 F_ep. The rows of a smooth shape are not linear in u: W is that of the present
 * point, and d(W' lambda) has the further term -C du, so that F includes C (collision/rows/smooth_rows.h). Tested with
 * finite differences in tests/collision/test_shape_kernel.c. */
#include "collision/rows/shape_kernel.h"

#include <math.h>

#include "base/clones.h"
#include "collision/rows/many_faces.h"
#include "collision/rows/smooth_rows.h"

int abut_conic_rows_scratch(const AbutConicRows *rows)
{
	int widest = 1;
	for (int i = 0; i < rows->n_soc; i++) {
		widest = rows->soc_dim[i] > widest ? rows->soc_dim[i] : widest;
	}
	/* F with both lanes of f, and K W of the largest cone */
	return rows->width * (rows->width + 2) + widest * rows->width;
}

/* Adds K row row' to F and c row to f for each orthant row. F has rows of width + 2: the last two columns are both
 * lanes of f. */
ALWAYS_INLINE void add_orthant(int width, const AbutConicRows *rows, const AbutCone *cone, const AbutConeLaw *law,
                               double *F)
{
	for (int i = 0; i < cone->dim; i++) {
		const double *row = &rows->W[i * width];
		const double D = law->K[cone->law + i];
		const double c0 = law->c[0][cone->offset + i];
		const double c1 = law->c[1][cone->offset + i];
		for (int a = 0; a < width; a++) {
			double *target = &F[a * (width + 2)];
			const double scaled = D * row[a];
			for (int b = 0; b < width; b++) {
				target[b] += scaled * row[b];
			}
			target[width] += c0 * row[a];
			target[width + 1] += c1 * row[a];
		}
	}
}

/* Adds W' K W to F and W' c to f for one second-order cone whose first row is `first`. */
ALWAYS_INLINE void add_soc(int width, const AbutConicRows *rows, int first, const AbutCone *cone,
                           const AbutConeLaw *law, double *F, double *KW)
{
	const int dim = cone->dim;
	const double *W = &rows->W[first * width];
	const double *K = &law->K[cone->law];
	for (int i = 0; i < dim; i++) {
		for (int b = 0; b < width; b++) {
			double sum = 0.0;
			for (int j = 0; j < dim; j++) {
				sum += K[i * dim + j] * W[j * width + b];
			}
			KW[i * width + b] = sum;
		}
	}
	for (int i = 0; i < dim; i++) {
		const double c0 = law->c[0][cone->offset + i];
		const double c1 = law->c[1][cone->offset + i];
		for (int a = 0; a < width; a++) {
			const double w = W[i * width + a];
			if (w == 0.0) {
				continue;
			}
			double *target = &F[a * (width + 2)];
			for (int b = 0; b < width; b++) {
				target[b] += w * KW[i * width + b];
			}
			target[width] += c0 * w;
			target[width + 1] += c1 * w;
		}
	}
}

ALWAYS_INLINE void swap_rows(double *a, double *b, int n)
{
	for (int i = 0; i < n; i++) {
		const double t = a[i];
		a[i] = b[i];
		b[i] = t;
	}
}

/* Solves the rows 4 .. width - 1 of F for eps, by Gauss-Jordan elimination with row pivoting. Afterwards these rows
 * read d eps = (last two columns) - F_ep d(p, alpha). Returns false if a pivot is zero or not finite. */
ALWAYS_INLINE bool solve_eps(int width, double *F)
{
	const int stride = width + 2;
	for (int p = 4; p < width; p++) {
		int best = p;
		for (int r = p + 1; r < width; r++) {
			if (fabs(F[r * stride + p]) > fabs(F[best * stride + p])) {
				best = r;
			}
		}
		if (best != p) {
			swap_rows(&F[p * stride], &F[best * stride], stride);
		}
		const double inverse = 1.0 / F[p * stride + p];
		if (!isfinite(inverse)) {
			return false;
		}
		for (int c = 0; c < stride; c++) {
			F[p * stride + c] *= inverse;
		}
		for (int r = 4; r < width; r++) {
			const double factor = F[r * stride + p];
			if (r == p || factor == 0.0) {
				continue;
			}
			for (int c = 0; c < stride; c++) {
				F[r * stride + c] -= factor * F[p * stride + c];
			}
		}
	}
	return true;
}

static void begin_with_curvature(const AbutConicRows *rows, double *F)
{
	const int width = rows->width;
	const double *C = abut_smooth_rows_curvature(rows);
	for (int a = 0; a < width; a++) {
		for (int b = 0; b < width; b++) {
			F[a * (width + 2) + b] = C[a * width + b];
		}
	}
}

ALWAYS_INLINE bool condense_width(int width, const AbutConicRows *rows, const AbutCone *cones, const AbutConeLaw *law,
                                  const double *B_lambda, double *scratch, AbutShapeStiffness *out, double *eps_map)
{
	const int stride = width + 2;
	double *F = scratch;
	for (int i = 0; i < width * stride; i++) {
		F[i] = 0.0;
	}
	if (rows->smooth) {
		begin_with_curvature(rows, F);
	}
	int first = 0;
	for (const AbutCone *cone = cones; first < rows->n_rows; first += cone->dim, cone++) {
		if (cone->kind == ABUT_CONE_ORTHANT) {
			add_orthant(width, rows, cone, law, F);
		} else {
			add_soc(width, rows, first, cone, law, F, &scratch[width * stride]);
		}
	}
	for (int e = 4; e < width; e++) {
		F[e * stride + e] += law->rho;
		F[e * stride + width] -= B_lambda[e - 4]; /* W_e' lambda = -B' lambda */
	}
	if (!solve_eps(width, F)) {
		return false;
	}
	for (int e = 4; e < width; e++) {
		double *map = &eps_map[6 * (e - 4)];
		for (int j = 0; j < 4; j++) {
			map[j] = -F[e * stride + j];
		}
		map[4] = F[e * stride + width];
		map[5] = F[e * stride + width + 1];
	}
	for (int a = 0; a < 4; a++) {
		const double *row = &F[a * stride];
		double values[6] = {row[0], row[1], row[2], row[3], row[width], row[width + 1]};
		for (int e = 4; e < width; e++) {
			const double *map = &eps_map[6 * (e - 4)];
			for (int j = 0; j < 4; j++) {
				values[j] += row[e] * map[j];
			}
			values[4] -= row[e] * map[4];
			values[5] -= row[e] * map[5];
		}
		for (int j = 0; j < 4; j++) {
			out->Q[4 * a + j] = values[j];
		}
		out->k[0][a] = values[4];
		out->k[1][a] = values[5];
	}
	return true;
}

/* Condenses a box. Since rows i and i + 3 depend only on p_i and alpha, Q has the form of an arrow,
 *
 *     Q = [ diag(S)  T ]     S_i = sum of K w_p^2,  T_i = sum of K w_p w_a  over these two rows,
 *         [   T'     U ]     U   = sum of K w_a^2   over all six rows,
 *
 * where w_p and w_a are a row's entries for p_i and alpha. */
ALWAYS_INLINE void condense_box(const AbutConicRows *rows, const AbutCone *cone, const AbutConeLaw *law,
                                AbutShapeStiffness *out)
{
	const double *K = &law->K[cone->law], *c0 = &law->c[0][cone->offset], *c1 = &law->c[1][cone->offset];
	double U = 0.0, k0 = 0.0, k1 = 0.0;
	for (int i = 0; i < 16; i++) {
		out->Q[i] = 0.0;
	}
	for (int i = 0; i < 3; i++) {
		const double *low = &rows->W[4 * i], *high = &rows->W[4 * (i + 3)];
		const double low_K = K[i] * low[i], high_K = K[i + 3] * high[i];
		out->Q[5 * i] = low_K * low[i] + high_K * high[i];
		out->Q[4 * i + 3] = low_K * low[3] + high_K * high[3];
		out->Q[12 + i] = K[i] * low[3] * low[i] + K[i + 3] * high[3] * high[i];
		out->k[0][i] = c0[i] * low[i] + c0[i + 3] * high[i];
		out->k[1][i] = c1[i] * low[i] + c1[i + 3] * high[i];
	}
	for (int i = 0; i < 6; i++) {
		const double w = rows->W[4 * i + 3];
		U += K[i] * w * w;
		k0 += c0[i] * w;
		k1 += c1[i] * w;
	}
	out->Q[15] = U;
	out->k[0][3] = k0;
	out->k[1][3] = k1;
}

/* Boxes and polytopes of many faces have their own kernels. For other shapes, the loops have a fixed length if the
 * number of auxiliary variables is 0, 1 or 3. */
ABUT_CLONES bool abut_conic_rows_condense(const AbutConicRows *rows, const AbutCone *cones, const AbutConeLaw *law,
                                          const double *B_lambda, double *scratch, AbutShapeStiffness *out,
                                          double *eps_map)
{
	if (rows->box) {
		condense_box(rows, cones, law, out);
		return true;
	}
	if (rows->columns) {
		abut_many_faces_condense(rows, cones, law, out);
		return true;
	}
	switch (rows->width) {
	case 4:
		return condense_width(4, rows, cones, law, B_lambda, scratch, out, eps_map);
	case 5:
		return condense_width(5, rows, cones, law, B_lambda, scratch, out, eps_map);
	case 7:
		return condense_width(7, rows, cones, law, B_lambda, scratch, out, eps_map);
	default:
		return condense_width(rows->width, rows, cones, law, B_lambda, scratch, out, eps_map);
	}
}

ALWAYS_INLINE void recover_box(const AbutConicRows *rows, const AbutCone *cone, const AbutConeLaw *law, double weight,
                               const double d_point[4], double *restrict d_lambda, double *restrict dH)
{
	const double *K = &law->K[cone->law], *c0 = &law->c[0][cone->offset], *c1 = &law->c[1][cone->offset];
	for (int i = 0; i < 6; i++) {
		const double *row = &rows->W[4 * i];
		dH[i] = row[i % 3] * d_point[i % 3] + row[3] * d_point[3];
		d_lambda[i] = c0[i] + weight * c1[i] - K[i] * dH[i];
	}
}

void abut_conic_rows_recover(const AbutConicRows *rows, const AbutCone *cones, const AbutConeLaw *law, double weight,
                             const double *eps_map, const AbutRowsStep *step)
{
	if (rows->box) {
		recover_box(rows, cones, law, weight, step->point, step->lambda, step->H);
		return;
	}
	if (rows->columns) {
		abut_many_faces_recover(rows, cones, law, weight, step->point, step->lambda, step->H);
		return;
	}
	const int width = rows->width;
	const double *d_point = step->point;
	double *d_eps = step->eps, *dH = step->H;
	for (int e = 0; e < rows->n_eps; e++) {
		const double *map = &eps_map[6 * e];
		d_eps[e] = map[0] * d_point[0] + map[1] * d_point[1] + map[2] * d_point[2] + map[3] * d_point[3] +
		           map[4] + weight * map[5];
	}
	for (int i = 0; i < rows->n_rows; i++) {
		const double *row = &rows->W[i * width];
		double sum = row[0] * d_point[0] + row[1] * d_point[1] + row[2] * d_point[2] + row[3] * d_point[3];
		for (int e = 0; e < rows->n_eps; e++) {
			sum += row[4 + e] * d_eps[e];
		}
		dH[i] = sum;
	}
	int first = 0;
	for (const AbutCone *cone = cones; first < rows->n_rows; first += cone->dim, cone++) {
		abut_cone_apply_law(cone, law, weight, &dH[first], &step->lambda[first]);
	}
}
