/* K = P L U by partial pivoting, column-major, in its place: most matrices of contacts are too small for LAPACK, whose
 * threads would wait for each other. Tested through boxed_lcp/finds_what_enumeration_finds in
 * tests/solver/test_boxed_lcp.c. */
#ifndef SOLVER_LCP_SMALL_LU_H
#define SOLVER_LCP_SMALL_LU_H

#include <stdbool.h>

/* What is zero in K or x is passed over.
 *
 * K (m x m) becomes its factors, pivots (m) the exchanges of rows. False where K is singular or not finite. */
bool abut_small_lu_factorise(int m, double *K, int *pivots);
/* x = K^-1 x by the factors. */
void abut_small_lu_solve(int m, const double *K, const int *pivots, double *x);
/* left -= K x, K as it was given. */
void abut_small_subtract_product(int m, const double *K, const double *x, double *left);

#endif
