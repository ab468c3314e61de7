/* Plans of any system that can be stepped and differentiated: inputs, constant over each of N steps, that minimise
 *
 *     sum over k <= N of |x_k - r_k|^2 by the weights of k  +  sum over k < N of |u_k - rest_k|^2 by `effort`
 *
 * with x_N = r_N in the numbers that `bound` names, by iterative LQR inside an augmented Lagrangian. r is the
 * reference, differences of states are changes (ilqr.h). Derivatives of steps are those at `kappa`.
 *
 * Tested in tests/experiments/test_reach.c and test_robot_plan.c. */
#pragma once

#include "experiments/ilqr/ilqr.h"

enum { ABUT_PLAN_ROUNDS = 12 /* of the augmented Lagrangian, at most */ };

typedef struct AbutReachProgress {
	int round, iteration; /* the latter of all rounds together */
	double augmented, cost, violation;
} AbutReachProgress;

/* What a plan should do. */
typedef struct AbutPlanGoal {
	const double *reference;  /* ((N + 1) x state) */
	const double *weights;    /* ((N + 1) x change) */
	const double *effort;     /* (inputs) */
	const double *rest;       /* (N x inputs); NULL: zero */
	const bool *bound;        /* (change) */
	const double *low, *high; /* (inputs) bounds of all u_k; NULL: none */
	double tolerance;         /* of the bound numbers at the end, within which the plan counts as found */
} AbutPlanGoal;

/* How a plan is searched for. */
typedef struct AbutPlanSearch {
	int rounds;
	double kappa;
	double penalty, penalty_factor; /* of the augmented Lagrangian: in the first round, and from round to round */
	AbutIlqrOptions ilqr;           /* of each round; its `watch` is not used */
	/* Called at the start of each round, and after each iteration that lowered the augmented cost; may be NULL. */
	void (*watch)(void *context, const AbutReachProgress *progress);
	void *context;
} AbutPlanSearch;

/* A system to plan. */
typedef struct AbutPlanSystem {
	AbutIlqrProblem steps; /* without bounds, `cost` and `expand` */
	/* Sets the kappa of the derivatives that follow in the contexts of `steps`. */
	AbutStatus (*set_kappa)(void *const *contexts, int threads, double kappa, AbutError *error);
} AbutPlanSystem;

typedef struct AbutReached {
	bool found;                 /* violation within the tolerance */
	double cost, violation;     /* without the penalty; the largest of the bound numbers' errors */
	int rounds, iterations;     /* of all rounds together */
	AbutIlqrOutcome outcome;    /* of the last round */
	int rollouts, unsolved;     /* and those of them in which a step failed */
	long steps, differentiated; /* of the rollouts, and steps that were differentiated */
	double seconds;             /* of wall clock */
	AbutError why;              /* of a failed round: why a step has no derivative; status ABUT_OK: not known */
} AbutReached;

/* Plans. `x` ((N + 1) x state) contains the initial state and becomes the trajectory; `u` (N x inputs) is the first
 * guess and becomes the plan. Returns the statuses of abut_ilqr_solve and `set_kappa`. */
AbutStatus abut_plan(const AbutPlanSystem *system, const AbutPlanGoal *goal, const AbutPlanSearch *search, double *x,
                     double *u, AbutReached *out, AbutError *error);
