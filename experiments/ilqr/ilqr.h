/* Plans by iterative LQR with bounds on the inputs:
 *
 *      minimise   sum over k < N of l_k(x_k, u_k) + l_N(x_N)     with  x_k+1 = f_k(x_k, u_k),  low <= u_k <= high
 *
 * A backward sweep expands the cost to second order and the step to first order. At each k it finds the best change of
 * the input within its bounds, and a gain for the inputs that are not at a bound. A forward rollout with the true step
 * applies the largest of some decreasing fractions of these changes that lowers the cost. States lie on a manifold: a
 * state has `state` numbers, a change of state is a vector of `change` numbers.
 *
 * Tested in tests/experiments/test_ilqr.c. */
#pragma once

#include <stdbool.h>

#include "abut/status.h"

/* The derivatives of the cost at one k, row-major; second derivatives are symmetric. */
typedef struct AbutIlqrExpansion {
	double *x, *u;        /* (change), (input) */
	double *xx, *uu, *ux; /* (change x change), (input x input), (input x change) */
} AbutIlqrExpansion;

enum { ABUT_ILQR_THREADS = 16 /* at most */ };

/* A problem. Functions of the step receive one of `contexts`; with several, as many threads take and differentiate
 * steps, each with its own, and the result is the same. The steps of a rollout come in order, with one context. The
 * first one also serves the calling thread. Functions of the cost receive `cost_context`, on the calling thread. At the
 * horizon there is no input: `u` is NULL. */
typedef struct AbutIlqrProblem {
	int horizon, state, change, input;
	const double *low, *high; /* (input) of the inputs; NULL: none */
	int threads;
	void *const *contexts; /* (threads) */
	void *cost_context;
	/* Computes the next state; false: the step failed, and the rollout is rejected. */
	bool (*step)(void *context, int k, const double *x, const double *u, double *next);
	/* The last rollout of this context became the trajectory; may be NULL. */
	void (*keep)(void *context);
	/* Computes the derivatives of step k of the trajectory, row-major: A (change x change), B (change x input).
	 * False if there are none. */
	bool (*differentiate)(void *context, int k, const double *x, const double *u, double *A, double *B);
	/* Computes the change from one state to another. */
	void (*difference)(void *context, const double *from, const double *to, double *change);
	double (*cost)(void *context, int k, const double *x, const double *u);
	/* `out` is zero before. */
	void (*expand)(void *context, int k, const double *x, const double *u, AbutIlqrExpansion *out);
} AbutIlqrProblem;

typedef struct AbutIlqrOptions {
	int iterations;         /* at most */
	double cost_tolerance;  /* converged: an iteration lowers the cost by less than this fraction of max(cost, 1) */
	double input_tolerance; /* converged: no input changes by more */
	double regularisation;  /* added to the inputs' second derivatives at first; grows where a sweep or a rollout
	                           fails, shrinks where they succeed */
	double most_regularisation; /* stalled if the regularisation exceeds this */
	int shares;                 /* fractions of a change to try in rollouts, each half of the previous one */
	/* Called with the first guess, as iteration 0, and after each iteration that lowered the cost; may be NULL. */
	void (*watch)(void *context, int iteration, double cost, const double *x, const double *u);
	void *context;
} AbutIlqrOptions;

AbutIlqrOptions abut_ilqr_options_default(void);

typedef enum AbutIlqrOutcome {
	ABUT_ILQR_CONVERGED,
	ABUT_ILQR_ITERATIONS, /* all used */
	ABUT_ILQR_STALLED,    /* no fraction of any change lowers the cost, even with the largest regularisation */
	ABUT_ILQR_FAILED      /* the first rollout or a derivative failed */
} AbutIlqrOutcome;

typedef struct AbutIlqrResult {
	AbutIlqrOutcome outcome;
	int iterations; /* backward sweeps, including failed ones */
	int rollouts;   /* all numbers count what was examined, so they do not depend on threads */
	int unsolved;   /* rollouts in which a step failed */
	long steps;     /* of the rollouts */
	long differentiated;
	double first_cost, cost;
	double regularisation; /* at the end */
} AbutIlqrResult;

/* Solves the problem. `x` ((horizon + 1) x state) contains the initial state and becomes the trajectory; `u` (horizon x
 * input) is the first guess and becomes the solution. Guesses outside the bounds are moved to them.
 * ABUT_ERROR_ARGUMENT: a size or an option is out of range, or low > high; ABUT_ERROR_MEMORY. */
AbutStatus abut_ilqr_solve(const AbutIlqrProblem *problem, const AbutIlqrOptions *options, double *x, double *u,
                           AbutIlqrResult *out, AbutError *error);
