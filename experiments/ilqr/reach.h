/* Bodies planned to a goal: inputs, constant over each of N steps, that minimise
 *
 *     sum over k < N of (|x_k - goal|^2 by `running` + |u_k|^2 by `effort`) + |x_N - goal|^2 by `final`
 *
 * with x_N = goal in the numbers that `bound` names, by iterative LQR inside an augmented Lagrangian. Rollouts are
 * steps of the model; derivatives are those of abut_step_differentiate at a kappa that may fall from round to round.
 *
 * A state is that of the moving bodies, in the order of the model, whose frames have their origins at the centres of
 * mass; changes are those of abut/gradient.h, ABUT_GRADIENT_ROWS a body. Every step starts cold: the plan depends on
 * nothing but what is named here.
 *
 * Tested in tests/experiments/test_reach.c. */
#pragma once

#include "abut/gradient.h"
#include "experiments/ilqr/ilqr.h"

enum {
	ABUT_REACH_BODIES = 4, /* moving ones, at most */
	ABUT_REACH_STATE = 13, /* numbers of a body's state: AbutBodyState */
	ABUT_REACH_CHANGES = ABUT_REACH_BODIES * ABUT_GRADIENT_ROWS,
	ABUT_REACH_STATES = ABUT_REACH_BODIES * ABUT_REACH_STATE,
	ABUT_REACH_INPUTS = 8,
	ABUT_REACH_ROUNDS = 12 /* of the augmented Lagrangian, at most */
};

typedef struct AbutReachProgress {
	int round, iteration; /* the latter of all rounds together */
	double augmented, cost, violation;
} AbutReachProgress;

typedef struct AbutReach {
	const AbutSceneDef *def;
	int horizon, inputs;
	/* (inputs) the effect of a unit of each on the moving bodies: N and N m, as rows FORCE and TORQUE of
	 * abut/gradient.h */
	double pushes[ABUT_REACH_INPUTS][ABUT_REACH_BODIES][6];
	double low[ABUT_REACH_INPUTS], high[ABUT_REACH_INPUTS]; /* infinite: none */
	AbutBodyState goal[ABUT_REACH_BODIES];
	double running[ABUT_REACH_CHANGES], final[ABUT_REACH_CHANGES], effort[ABUT_REACH_INPUTS]; /* weights */
	bool bound[ABUT_REACH_CHANGES];
	double tolerance; /* of the bound numbers at the end, within which the plan counts as found */
	int rounds;
	double kappa, kappa_factor, least_kappa; /* of the first round; from round to round, down to */
	double penalty, penalty_factor;          /* of the augmented Lagrangian, the same way */
	AbutIlqrOptions ilqr;                    /* of each round; its `watch` is not used */
	/* Called at the start of each round, and after each iteration that lowered the augmented cost; may be NULL. */
	void (*watch)(void *context, const AbutReachProgress *progress);
	void *context;
} AbutReach;

typedef struct AbutReached {
	bool found;                 /* violation within the tolerance */
	double cost, violation;     /* without the penalty; the largest of the bound numbers' errors */
	int rounds, iterations;     /* of all rounds together */
	AbutIlqrOutcome outcome;    /* of the last round */
	long steps, differentiated; /* all that were taken */
	long unsolved;              /* neither exact nor relaxed */
	double seconds;             /* CPU time */
} AbutReached;

/* Plans. `x` ((horizon + 1) x bodies x ABUT_REACH_STATE) becomes the trajectory from the initial state of the scene;
 * `u` (horizon x inputs) is the first guess and becomes the plan. Returns the statuses of abut_model_create and
 * abut_ilqr_solve. */
AbutStatus abut_reach_plan(const AbutReach *reach, double *x, double *u, AbutReached *out, AbutError *error);
