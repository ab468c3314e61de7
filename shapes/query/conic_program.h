/* Solves a small dense conic program:  min c'x  such that  s = h - G x  lies in K,  with its dual
 *
 *      max -h'z  such that  G'z + c = 0,  z in K,
 *
 * where K is the cone in (1) of abut/shape.h. */
#pragma once

#include <stdbool.h>

#include "abut/shape.h"

enum {
	ABUT_PROGRAM_ROWS = 320, /* largest program */
	ABUT_PROGRAM_COLUMNS = 36
};

/* A program. The caller fills in everything except the solution, with lengths of about 1. It needs about 200 kB, so
 * keep at most one on a stack. */
typedef struct AbutConicProgram {
	int m, n; /* numbers of rows and unknowns */
	int n_orthant, n_soc;
	const int *soc_dim;
	double G[ABUT_PROGRAM_ROWS * ABUT_PROGRAM_COLUMNS]; /* (m x n) row-major */
	double h[ABUT_PROGRAM_ROWS], c[ABUT_PROGRAM_COLUMNS];
	double x[ABUT_PROGRAM_COLUMNS]; /* input: the start; output: the solution */
	double s[ABUT_PROGRAM_ROWS], z[ABUT_PROGRAM_ROWS];
	double value, gap; /* c'x; and s'z plus the residuals of both equations, which bounds the error of `value` */
	int iterations;
	double inside[ABUT_PROGRAM_ROWS * 9]; /* scratch of the solver */
	double factor[(ABUT_PROGRAM_ROWS + ABUT_PROGRAM_COLUMNS) * ABUT_PROGRAM_COLUMNS];
} AbutConicProgram;

/* Solves the program from the start `x` by a primal-dual interior point method with Nesterov-Todd scaling. If the gap
 * does not reach `tolerance`, returns false and keeps the best values found. Allocates no memory. */
bool abut_conic_program_solve(AbutConicProgram *program, double tolerance);

/* Returns the largest t, at most ABUT_CONES_REACH_MAX, for which a + t d lies in K. The point a must lie inside. */
#define ABUT_CONES_REACH_MAX 1e30
double abut_cones_reach(int n_orthant, int n_soc, const int *soc_dim, const double *a, const double *d);
