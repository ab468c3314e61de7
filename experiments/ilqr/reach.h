/* Bodies planned to a goal: inputs, constant over each of N steps, that minimise
 *
 *     sum over k < N of (|x_k - goal|^2 by `running` + |u_k|^2 by `effort`) + |x_N - goal|^2 by `final`
 *
 * with x_N = goal in the numbers that `bound` names (plan.h). Rollouts are steps of the model; derivatives are those of
 * abut_step_differentiate.
 *
 * A state is that of the moving bodies, in the order of the model, whose frames have their origins at the centres of
 * mass; changes are those of abut/gradient.h, ABUT_GRADIENT_ROWS a body. Every step starts cold: the plan depends on
 * nothing but what is named here.
 *
 * Tested in tests/experiments/test_reach.c. */
#pragma once

#include "abut/gradient.h"
#include "experiments/ilqr/plan.h"

enum {
	ABUT_REACH_BODIES = 4, /* moving ones, at most */
	ABUT_REACH_STATE = 13, /* numbers of a body's state: AbutBodyState */
	ABUT_REACH_CHANGES = ABUT_REACH_BODIES * ABUT_GRADIENT_ROWS,
	ABUT_REACH_STATES = ABUT_REACH_BODIES * ABUT_REACH_STATE,
	ABUT_REACH_INPUTS = 8
};

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
	AbutPlanSearch search;
} AbutReach;

/* Plans. `x` ((horizon + 1) x bodies x ABUT_REACH_STATE) becomes the trajectory from the initial state of the scene;
 * `u` (horizon x inputs) is the first guess and becomes the plan. Returns the statuses of abut_model_create and
 * abut_ilqr_solve. */
AbutStatus abut_reach_plan(const AbutReach *reach, double *x, double *u, AbutReached *out, AbutError *error);
