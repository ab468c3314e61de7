/* A small dense conic program:  min c'x  such that  s = h - G x  lies in K,  with its dual
 *
 *     max -h'z  such that  G'z + c = 0,  z in K,
 *
 * K as in (1) of abut/shape.h. It answers what rows alone can tell of a shape: how far it reaches along a direction or
 * a ray, whether it is empty, where it is deepest. */
#ifndef SHAPES_QUERY_CONIC_PROGRAM_H
#define SHAPES_QUERY_CONIC_PROGRAM_H

#include <stdbool.h>

#include "abut/shape.h"

enum {
	ABUT_PROGRAM_ROWS = 320, /* most of both: what a shape may have that needs a program */
	ABUT_PROGRAM_COLUMNS = 36
};

/* Filled in by the caller but for the solution. Lengths of about 1. Some 200 kB: one at a time on a stack. */
typedef struct AbutConicProgram {
	int m, n; /* rows, unknowns */
	int n_orthant, n_soc;
	const int *soc_dim;
	double G[ABUT_PROGRAM_ROWS * ABUT_PROGRAM_COLUMNS]; /* (m x n) row-major */
	double h[ABUT_PROGRAM_ROWS], c[ABUT_PROGRAM_COLUMNS];
	double x[ABUT_PROGRAM_COLUMNS]; /* in: the start; out: the solution */
	double s[ABUT_PROGRAM_ROWS], z[ABUT_PROGRAM_ROWS];
	double value, gap; /* c'x, and s'z with what is left of both equations: how far x and z may be off in value */
	int iterations;
	double inside[ABUT_PROGRAM_ROWS * 9]; /* the solver's own */
	double factor[(ABUT_PROGRAM_ROWS + ABUT_PROGRAM_COLUMNS) * ABUT_PROGRAM_COLUMNS];
} AbutConicProgram;

/* By a primal-dual interior point with Nesterov and Todd's scaling, from `x`. False where it does not come to a gap of
 * `tolerance`; what it has found stays. No allocation. */
bool abut_conic_program_solve(AbutConicProgram *program, double tolerance);

/* The largest t up to the bound with which a + t d lies in K; a lies inside. */
#define ABUT_CONES_REACH_MAX 1e30
double abut_cones_reach(int n_orthant, int n_soc, const int *soc_dim, const double *a, const double *d);

#endif
