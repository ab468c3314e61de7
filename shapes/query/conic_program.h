/* A small dense conic program:  min c'x  such that  s = h - G x  lies in K,  with its dual
 *
 *     max -h'z  such that  G'z + c = 0,  z in K,
 *
 * K as in (1) of abut/shape.h. */
#ifndef SHAPES_QUERY_CONIC_PROGRAM_H
#define SHAPES_QUERY_CONIC_PROGRAM_H

#include <stdbool.h>

#include "abut/shape.h"

enum {
	ABUT_PROGRAM_ROWS = 320, /* largest program */
	ABUT_PROGRAM_COLUMNS = 36
};

/* The caller fills in all but the solution, with lengths of about 1. Some 200 kB: keep at most one on a stack. */
typedef struct AbutConicProgram {
	int m, n; /* rows, unknowns */
	int n_orthant, n_soc;
	const int *soc_dim;
	double G[ABUT_PROGRAM_ROWS * ABUT_PROGRAM_COLUMNS]; /* (m x n) row-major */
	double h[ABUT_PROGRAM_ROWS], c[ABUT_PROGRAM_COLUMNS];
	double x[ABUT_PROGRAM_COLUMNS]; /* in: the start; out: the solution */
	double s[ABUT_PROGRAM_ROWS], z[ABUT_PROGRAM_ROWS];
	double value, gap; /* c'x, and s'z plus the residuals of both equations: the error of x and z in value */
	int iterations;
	double inside[ABUT_PROGRAM_ROWS * 9]; /* scratch of the solver */
	double factor[(ABUT_PROGRAM_ROWS + ABUT_PROGRAM_COLUMNS) * ABUT_PROGRAM_COLUMNS];
} AbutConicProgram;

/* Solves the program from `x` by a primal-dual interior point method with Nesterov-Todd scaling. Returns false if the
 * gap does not reach `tolerance`; the best values found stay. No allocation. */
bool abut_conic_program_solve(AbutConicProgram *program, double tolerance);

/* Returns the largest t up to ABUT_CONES_REACH_MAX for which a + t d lies in K; a lies inside. */
#define ABUT_CONES_REACH_MAX 1e30
double abut_cones_reach(int n_orthant, int n_soc, const int *soc_dim, const double *a, const double *d);

#endif
