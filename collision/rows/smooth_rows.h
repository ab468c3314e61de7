/* The rows of a smooth shape as the kernels use them: at the point u of the last evaluation,
 *
 *     H = -scale g(v),   v = (M p + m + alpha t, alpha, unit eps),   W = dH / du = -scale G L,   L = dv / du,
 *
 * instead of h + W u with constant W, and with the curvature
 *
 *     C = -sum lambda_i d2 H_i / du du = scale L' (sum lambda_i d2 g_i / dv dv) L,
 *
 * which the shape kernel adds to the stiffness of (p, alpha, eps). g scales about its own centre; the shift t moves
 * that to the shape's scaling centre. Tested with finite differences in tests/collision/test_smooth_rows.c. */
#ifndef COLLISION_ROWS_SMOOTH_ROWS_H
#define COLLISION_ROWS_SMOOTH_ROWS_H

#include "abut/smooth.h"
#include "collision/rows/rows_parts.h"

struct AbutSmoothRows {
	const AbutSmooth *functions;
	double M[9], m[3], t[3]; /* places */
	double unit, scale;      /* lengths, rows */
	bool broken;             /* a function was not finite since the rows were placed */
	/* Values of the last evaluation. */
	double *v;      /* (width) of the functions */
	double *weight; /* (n_rows) duals, none below 0 */
	double *G, *W;  /* (n_rows x width) */
	double *D, *C;  /* (width x width) D: of the functions, scratch */
};

/* Makes the functions' part of rows whose other fields are set. */
AbutStatus abut_smooth_rows_create(AbutConicRows *rows);

/* Evaluates like abut_conic_rows_evaluate; W becomes that of the point. */
void abut_smooth_rows_evaluate(const AbutConicRows *rows, const AbutRowsPoint *point, double *H, double g[3],
                               double *d_lambda, double *B_lambda);

/* Returns rows for one contact: those of a smooth shape are evaluated at a point, and each contact has its own. For
 * constant matrices these are `rows` itself, otherwise a copy in `memory` (doubles, as many as the first function
 * returns). */
int abut_conic_rows_place_size(const AbutConicRows *rows);
const AbutConicRows *abut_conic_rows_place(const AbutConicRows *rows, double *memory);

/* Returns whether a function of a smooth shape has given a value that is not finite since its rows were placed. */
bool abut_conic_rows_broken(const AbutConicRows *rows);

/* Returns C at the point and the duals of the last evaluation. */
const double *abut_smooth_rows_curvature(const AbutConicRows *rows);

#endif
