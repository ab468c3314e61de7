/* A small convex quadratic within bounds, by projected Newton steps:
 *
 *     minimise  1/2 d' H d + g' d     with  low <= d <= high
 *
 * At each iterate, coordinates at a bound that the gradient pushes against are held, the others take the Newton step of
 * their own block of H, cut off at the bounds. */
#pragma once

#include <stdbool.h>

enum { ABUT_BOX_NEWTON_MOST = 16 }; /* coordinates */

typedef struct AbutBoxNewton {
	int n;
	const double *H, *g;      /* (n x n), (n) */
	const double *low, *high; /* (n), low <= 0 <= high */
} AbutBoxNewton;

/* Finds the minimiser `d`. `held` marks the coordinates at a bound. `factor` (n x n) is the lower triangle of the
 * Cholesky factor of H with held rows and columns replaced by the identity's. False: the free block is not positive
 * definite. */
bool abut_box_newton_solve(const AbutBoxNewton *problem, double *d, bool *held, double *factor);

/* Computes x = (L L')^-1 x for `n` numbers that are `stride` apart. */
void abut_cholesky_apply(int n, const double *factor, double *x, int stride);
