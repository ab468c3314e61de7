/* Solves dense linear systems and least squares by LAPACKE (column-major). Only base/lapack.c includes LAPACKE. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Solves A X = B by LU with partial pivoting: A (n x n) is overwritten by its factors, B (n x n_rhs) by X, pivots (n)
 * is scratch. Returns false if A is singular or the solution is not finite. Results of OpenBLAS depend on the number of
 * its threads, which also compete with others. Therefore it is limited to one thread, for the whole process. Several
 * threads may make the first call at the same time. */
bool abut_lapack_solve(int n, double *A, int *pivots, int n_rhs, double *B);

/* Returns the length of the scratch memory of abut_lapack_least_squares. */
size_t abut_lapack_least_room(int m, int n);
/* Finds the shortest x (n) of those that minimise |A x - b|, for A (m x n, m >= n >= 1): b (m) is overwritten by x, and
 * the first n rows of A by the right singular vectors, those of singular values that count as 0 last. These are below
 * `small` times the largest one. `room` is scratch. Returns the number of the others; -1: not found. */
int abut_lapack_least_squares(int m, int n, double *A, double small, double *b, double *room);
