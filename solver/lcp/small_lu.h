/* Factorises small matrices by LU with partial pivoting, K = P L U, column-major and in place. Most matrices of
 * contacts are too small for LAPACK, whose threads would wait for each other. Zeros in K and x are skipped. Tested by
 * boxed_lcp/finds_what_enumeration_finds in tests/solver/test_boxed_lcp.c. */
#pragma once

#include <stdbool.h>

#include "base/stop.h"

/* Replaces K (m x m) by its factors. `pivots` (m) stores the exchanges of rows. Returns false if K is singular or not
 * finite, or if `stop` (may be NULL) ends the call. */
bool abut_small_lu_factorise(int m, double *K, int *pivots, AbutStopper *stop);
/* Replaces x by K^-1 x, from the factors. */
void abut_small_lu_solve(int m, const double *K, const int *pivots, double *x);
/* Subtracts K x from left, where K is the matrix before factorisation. */
void abut_small_subtract_product(int m, const double *K, const double *x, double *left);
