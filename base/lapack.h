/* Dense linear algebra by LAPACKE (column-major). The only way to it: base/lapack.c alone includes its header. */
#ifndef BASE_LAPACK_H
#define BASE_LAPACK_H

#include <stdbool.h>

/* Solves A X = B by LU with partial pivoting: A (n x n) is overwritten by its factors, B (n x n_rhs) by X, pivots (n)
 * is scratch. False when A is singular or the solution is not finite. */
bool abut_lapack_solve(int n, double *A, int *pivots, int n_rhs, double *B);

/* Singular values of A (m x n, overwritten), largest first, into `values` (min(m, n)); scratch of
 * 5 * max(m, n) + min(m, n) doubles or more in `work` of length `n_work`. False when the iteration fails. */
bool abut_lapack_singular_values(int m, int n, double *A, double *values, double *work, int n_work);

/* From now on, for the whole process: where others run beside it, threads of its own make OpenBLAS slower, and its
 * results depend on how many it has. */
void abut_lapack_use_one_thread(void);

#endif
