/* Iterative LQR with bounds on the inputs:
 *
 *     minimise   sum over k < N of l_k(x_k, u_k) + l_N(x_N)     with  x_k+1 = f_k(x_k, u_k),  low <= u_k <= high
 *
 * A sweep backwards expands the cost to second order and the step to first order and finds, at each k, the change of
 * the input that is best within its bounds, with a gain for the inputs that are not at one. A rollout forwards with the
 * true step takes a share of these changes, the largest of a decreasing row that lowers the cost. States live on a
 * manifold: `state` numbers whose changes are vectors of `change` numbers.
 *
 * Tested in tests/experiments/test_ilqr.c. */
#ifndef EXPERIMENTS_ILQR_ILQR_H
#define EXPERIMENTS_ILQR_ILQR_H

#include <stdbool.h>

#include "abut/status.h"

/* The derivatives of the cost at one k, row-major; second derivatives are symmetric. */
typedef struct AbutIlqrExpansion {
	double *x, *u;        /* (change), (input) */
	double *xx, *uu, *ux; /* (change x change), (input x input), (input x change) */
} AbutIlqrExpansion;

/* A problem. All functions receive `context`. At the horizon there is no input: `u` is NULL. */
typedef struct AbutIlqrProblem {
	int horizon, state, change, input;
	const double *low, *high; /* (input) of the inputs; NULL: none */
	void *context;
	/* Computes the next state; false: the step failed, and the rollout is rejected. */
	bool (*step)(void *context, int k, const double *x, const double *u, double *next);
	/* Computes the derivatives of the step, row-major: A (change x change), B (change x input); false: there are
	 * none. */
	bool (*differentiate)(void *context, int k, const double *x, const double *u, double *A, double *B);
	/* Computes the change from one state to another. */
	void (*difference)(void *context, const double *from, const double *to, double *change);
	double (*cost)(void *context, int k, const double *x, const double *u);
	/* `out` is zero before. */
	void (*expand)(void *context, int k, const double *x, const double *u, AbutIlqrExpansion *out);
} AbutIlqrProblem;

typedef struct AbutIlqrOptions {
	int iterations;         /* at most */
	double cost_tolerance;  /* converged: an iteration lowers the cost by less than this fraction of it (of 1, if it
	                           is less) */
	double input_tolerance; /* converged: no input wants to change by more */
	double regularisation;  /* added to the inputs' second derivatives at first; grows where a sweep or a rollout
	                           fails, shrinks where they succeed */
	double most_regularisation; /* stalled beyond it */
	int shares;                 /* fractions of a change to try in rollouts, each half of the previous one */
	/* Called with the first guess, as iteration 0, and after each iteration that lowered the cost; may be NULL. */
	void (*watch)(void *context, int iteration, double cost, const double *x, const double *u);
	void *context;
} AbutIlqrOptions;

AbutIlqrOptions abut_ilqr_options_default(void);

typedef enum AbutIlqrOutcome {
	ABUT_ILQR_CONVERGED,
	ABUT_ILQR_ITERATIONS, /* all used */
	ABUT_ILQR_STALLED,    /* no share of any change lowers the cost, however regularised */
	ABUT_ILQR_FAILED      /* the first rollout, or a derivative on the way */
} AbutIlqrOutcome;

typedef struct AbutIlqrResult {
	AbutIlqrOutcome outcome;
	int iterations; /* sweeps backwards, failed ones included */
	int rollouts;
	double first_cost, cost;
	double regularisation; /* at the end */
} AbutIlqrResult;

/* Solves the problem. `x` ((horizon + 1) x state) contains the initial state and becomes the trajectory; `u` (horizon x
 * input) is the first guess and becomes the solution. Guesses outside the bounds are moved to them.
 * ABUT_ERROR_ARGUMENT: a size or an option is out of range, or low > high; ABUT_ERROR_MEMORY. */
AbutStatus abut_ilqr_solve(const AbutIlqrProblem *problem, const AbutIlqrOptions *options, double *x, double *u,
                           AbutIlqrResult *out, AbutError *error);

#endif
