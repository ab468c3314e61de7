/* Solves dense linear systems by LAPACKE (column-major). Only base/lapack.c includes LAPACKE. */
#pragma once

#include <stdbool.h>

/* Solves A X = B by LU with partial pivoting: A (n x n) is overwritten by its factors, B (n x n_rhs) by X, pivots (n)
 * is scratch. Returns false if A is singular or the solution is not finite. */
bool abut_lapack_solve(int n, double *A, int *pivots, int n_rhs, double *B);

/* Limits OpenBLAS to one thread, for the whole process. Its own threads would compete with others, and results depend
 * on their number. */
void abut_lapack_use_one_thread(void);
