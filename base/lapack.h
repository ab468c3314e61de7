/* Solves dense linear systems by LAPACKE (column-major). Only base/lapack.c includes LAPACKE. */
#pragma once

#include <stdbool.h>

/* Solves A X = B by LU with partial pivoting: A (n x n) is overwritten by its factors, B (n x n_rhs) by X, pivots (n)
 * is scratch. Returns false if A is singular or the solution is not finite. Results of OpenBLAS depend on the number of
 * its threads, which also compete with others. Therefore it is limited to one thread, for the whole process. Several
 * threads may make the first call at the same time. */
bool abut_lapack_solve(int n, double *A, int *pivots, int n_rhs, double *B);
