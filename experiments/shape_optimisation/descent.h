/* Descent by the method of Broyden, Fletcher, Goldfarb and Shanno (BFGS), with steps halved until the cost falls. */
#pragma once

#include <stdbool.h>

enum { ABUT_DESCENT_MOST = 16 };

/* Computes cost and derivative at `x`; false where there is none. */
typedef bool AbutDescentCost(void *context, const double *x, double *cost, double *slope);

typedef struct AbutDescent {
	AbutDescentCost *evaluate;
	void *context;
	int n;          /* up to ABUT_DESCENT_MOST */
	double longest; /* length of the first step, in its largest coordinate */
	double x[ABUT_DESCENT_MOST], cost, slope[ABUT_DESCENT_MOST];
	double inverse[ABUT_DESCENT_MOST * ABUT_DESCENT_MOST]; /* of the second derivative */
} AbutDescent;

/* Begins at x; the caller has set x and all fields above it. False: there is no cost there. */
bool abut_descent_begin(AbutDescent *descent);
/* Takes one step. False: the cost does not fall any more. */
bool abut_descent_step(AbutDescent *descent);
