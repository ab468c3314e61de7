/* Defines the rows of a smooth shape for the solver's kernels. At the point u of the last evaluation,
 *
 *     H = -scale g(v),   v = (M p + m + alpha t, alpha, unit eps),   W = dH / du = -scale G L,   L = dv / du,
 *
 * where g are the shape's functions and G = dg / dv. W is not constant, as it is in H = h + W u. The shape kernel adds
 * the curvature
 *
 *     C = -sum lambda_i d2 H_i / du du = scale L' (sum lambda_i d2 g_i / dv dv) L
 *
 * to the stiffness of (p, alpha, eps). The functions g scale about their own centre; the shift t moves this centre to
 * the shape's scaling centre. Tested with finite differences in tests/collision/test_smooth_rows.c. */
#pragma once

#include "abut/smooth.h"
#include "collision/rows/rows_parts.h"

struct AbutSmoothRows {
	const AbutSmooth *functions;
	double M[9], m[3], t[3]; /* map from the rows' frame to the functions' frame */
	double unit, scale;      /* factors of lengths and of rows */
	bool broken;             /* a function has returned a value that is not finite since the rows were placed */
	/* Values of the last evaluation. */
	double *v;      /* (width) point in the functions' variables */
	double *weight; /* (n_rows) duals; negative ones are replaced by 0 */
	double *G, *W;  /* (n_rows x width) */
	double *D, *C;  /* (width x width) scratch for D = sum lambda_i d2 g_i / dv dv, and C */
};

/* Makes the smooth part of rows whose other fields are already set. */
AbutStatus abut_smooth_rows_create(AbutConicRows *rows);

/* Evaluates the rows like abut_conic_rows_evaluate, and sets W to its value at the point. */
void abut_smooth_rows_evaluate(const AbutConicRows *rows, const AbutRowsPoint *point, double *H, double g[3],
                               double *d_lambda, double *B_lambda);

/* abut_conic_rows_place returns the rows for one contact. Rows of a smooth shape hold the values at one point;
 * therefore each contact needs its own copy, which is made in `memory`. abut_conic_rows_place_size returns the size of
 * `memory` in doubles. If the matrices are constant, the size is 0, and `rows` itself is returned. */
int abut_conic_rows_place_size(const AbutConicRows *rows);
const AbutConicRows *abut_conic_rows_place(const AbutConicRows *rows, double *memory);

/* Returns whether a function of a smooth shape has returned a value that is not finite since its rows were placed. */
bool abut_conic_rows_broken(const AbutConicRows *rows);

/* Returns C for the point and the duals of the last evaluation. */
const double *abut_smooth_rows_curvature(const AbutConicRows *rows);
