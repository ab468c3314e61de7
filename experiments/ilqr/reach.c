/* Plans by rounds of iterative LQR. The constraint at the end, c = x_N - goal in the bound numbers, is met by
 * minimising
 *
 *      cost + sum of (multiplier c + penalty c^2 / 2),    between which  multiplier += penalty c,  penalty *= factor.
 *
 * The difference of a rotation from the goal is its rotation vector phi. The derivative of |phi|^2 / 2 by small turns
 * about the body's own axes is phi for any length. The derivative of phi in the constraint is approximated by the
 * identity, which is exact at the goal. */
#include "experiments/ilqr/reach.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/vec3.h"
#include "experiments/setting/turn.h"
#include "experiments/setting/world.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS, STATE = ABUT_REACH_STATE };
_Static_assert(sizeof(AbutBodyState) == ABUT_REACH_STATE * sizeof(double), "a body's state is so many numbers");

typedef struct Plan {
	const AbutReach *reach;
	AbutWorld world;
	AbutGradient *gradient;
	int n;                         /* moving bodies */
	int bodies[ABUT_REACH_BODIES]; /* of the model */
	double multiplier[ABUT_REACH_CHANGES], penalty;
	double J[ABUT_REACH_CHANGES * ABUT_REACH_BODIES * COLUMNS];
	AbutReached *out;
} Plan;

/* --- the system --- */

/* Computes the change from one body state to another, ROWS numbers. */
static void change_between(const AbutBodyState *from, const AbutBodyState *to, double *change)
{
	abut_turn_between(from->orientation, to->orientation, &change[ABUT_GRADIENT_ROTATION]);
	abut_sub3(to->position, from->position, &change[ABUT_GRADIENT_POSITION]);
	abut_sub3(to->linear_velocity, from->linear_velocity, &change[ABUT_GRADIENT_LINEAR]);
	abut_sub3(to->angular_velocity, from->angular_velocity, &change[ABUT_GRADIENT_ANGULAR]);
}

static void difference(void *context, const double *from, const double *to, double *change)
{
	const Plan *plan = context;
	for (int i = 0; i < plan->n; i++) {
		AbutBodyState a, b;
		memcpy(&a, &from[STATE * i], sizeof a);
		memcpy(&b, &to[STATE * i], sizeof b);
		change_between(&a, &b, &change[ROWS * i]);
	}
}

/* Computes the difference from the goal. */
static void find_error(const Plan *plan, const double *x, double *error)
{
	for (int i = 0; i < plan->n; i++) {
		AbutBodyState state;
		memcpy(&state, &x[STATE * i], sizeof state);
		change_between(&plan->reach->goal[i], &state, &error[ROWS * i]);
	}
}

static bool set(Plan *plan, const double *x, const double *u)
{
	const AbutReach *reach = plan->reach;
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < plan->n; i++) {
		const AbutBodyDef *body = &reach->def->bodies[plan->bodies[i]];
		AbutBodyState state;
		double push[6];
		memcpy(push, body->force, sizeof body->force);
		memcpy(&push[3], body->torque, sizeof body->torque);
		for (int j = 0; j < reach->inputs; j++) {
			for (int k = 0; k < 6; k++) {
				push[k] += reach->pushes[j][i][k] * u[j];
			}
		}
		memcpy(&state, &x[STATE * i], sizeof state);
		status = abut_state_set_body(plan->world.model, plan->world.state, plan->bodies[i], &state);
		if (status == ABUT_OK) {
			status =
			    abut_state_set_input(plan->world.model, plan->world.state, plan->bodies[i], push, &push[3]);
		}
	}
	return status == ABUT_OK;
}

static void get(const Plan *plan, double *x)
{
	for (int i = 0; i < plan->n; i++) {
		AbutBodyState state;
		abut_state_get_body(plan->world.model, plan->world.state, plan->bodies[i], &state);
		memcpy(&x[STATE * i], &state, sizeof state);
	}
}

static bool is_solved(Plan *plan, const AbutStepInfo *info)
{
	const bool solved = info->outcome == ABUT_OUTCOME_EXACT || info->outcome == ABUT_OUTCOME_RELAXED;
	plan->out->unsolved += !solved;
	return solved;
}

static bool step(void *context, int k, const double *x, const double *u, double *next)
{
	Plan *plan = context;
	AbutStepInfo info = {.tries = 0};
	(void)k;
	if (!set(plan, x, u) ||
	    abut_step(plan->world.model, plan->world.state, plan->world.workspace, &info) != ABUT_OK) {
		return false;
	}
	plan->out->steps++;
	get(plan, next);
	return is_solved(plan, &info);
}

static void split(const Plan *plan, double *A, double *B)
{
	const AbutReach *reach = plan->reach;
	const int n = plan->n, width = COLUMNS * n;
	for (int row = 0; row < ROWS * n; row++) {
		const double *J = &plan->J[(size_t)row * (size_t)width];
		for (int j = 0; j < reach->inputs; j++) {
			B[row * reach->inputs + j] = 0.0;
		}
		for (int i = 0; i < n; i++) {
			memcpy(&A[(row * n + i) * ROWS], &J[COLUMNS * i], ROWS * sizeof *A);
			for (int j = 0; j < reach->inputs; j++) {
				for (int k = 0; k < 6; k++) {
					B[row * reach->inputs + j] +=
					    J[COLUMNS * i + ABUT_GRADIENT_FORCE + k] * reach->pushes[j][i][k];
				}
			}
		}
	}
}

static bool differentiate(void *context, int k, const double *x, const double *u, double *A, double *B)
{
	Plan *plan = context;
	const AbutWorld *world = &plan->world;
	AbutStepInfo info = {.tries = 0};
	(void)k;
	if (!set(plan, x, u) ||
	    abut_step_differentiate(world->model, world->state, world->workspace, plan->gradient, &info) != ABUT_OK ||
	    !is_solved(plan, &info) || abut_gradient_matrix(plan->gradient, plan->J, NULL) != ABUT_OK) {
		return false;
	}
	plan->out->differentiated++;
	split(plan, A, B);
	return true;
}

/* --- the cost --- */

static double plain_cost(const Plan *plan, int k, const double *x, const double *u)
{
	const AbutReach *reach = plan->reach;
	const double *weights = k < reach->horizon ? reach->running : reach->final;
	double error[ABUT_REACH_CHANGES] = {0.0}, sum = 0.0;
	find_error(plan, x, error);
	for (int i = 0; i < ROWS * plan->n; i++) {
		sum += weights[i] * error[i] * error[i];
	}
	for (int i = 0; u && i < reach->inputs; i++) {
		sum += reach->effort[i] * u[i] * u[i];
	}
	return sum;
}

static double cost(void *context, int k, const double *x, const double *u)
{
	const Plan *plan = context;
	double error[ABUT_REACH_CHANGES] = {0.0}, sum = plain_cost(plan, k, x, u);
	find_error(plan, x, error);
	for (int i = 0; k == plan->reach->horizon && i < ROWS * plan->n; i++) {
		if (plan->reach->bound[i]) {
			sum += (plan->multiplier[i] + 0.5 * plan->penalty * error[i]) * error[i];
		}
	}
	return sum;
}

static void expand(void *context, int k, const double *x, const double *u, AbutIlqrExpansion *out)
{
	const Plan *plan = context;
	const AbutReach *reach = plan->reach;
	const bool last = k == reach->horizon;
	const int n = ROWS * plan->n, m = reach->inputs;
	double error[ABUT_REACH_CHANGES] = {0.0};
	find_error(plan, x, error);
	for (int i = 0; i < n; i++) {
		const double weight = 2.0 * (last ? reach->final[i] : reach->running[i]);
		const bool bound = last && reach->bound[i];
		out->xx[n * i + i] = weight + (bound ? plan->penalty : 0.0);
		out->x[i] = weight * error[i] + (bound ? plan->multiplier[i] + plan->penalty * error[i] : 0.0);
	}
	for (int i = 0; u && i < m; i++) {
		out->uu[m * i + i] = 2.0 * reach->effort[i];
		out->u[i] = 2.0 * reach->effort[i] * u[i];
	}
}

static double total_cost(const Plan *plan, const double *x, const double *u)
{
	const int N = plan->reach->horizon, state = STATE * plan->n;
	double sum = plain_cost(plan, N, &x[N * state], NULL);
	for (int k = 0; k < N; k++) {
		sum += plain_cost(plan, k, &x[k * state], &u[k * plan->reach->inputs]);
	}
	return sum;
}

static double violation(const Plan *plan, const double *x)
{
	double error[ABUT_REACH_CHANGES] = {0.0}, largest = 0.0;
	find_error(plan, &x[plan->reach->horizon * STATE * plan->n], error);
	for (int i = 0; i < ROWS * plan->n; i++) {
		largest = plan->reach->bound[i] ? fmax(largest, fabs(error[i])) : largest;
	}
	return largest;
}

/* --- rounds --- */

static void watch(void *context, int iteration, double augmented, const double *x, const double *u)
{
	const Plan *plan = context;
	if (plan->reach->watch) {
		const AbutReachProgress progress = {plan->out->rounds, plan->out->iterations + iteration, augmented,
		                                    total_cost(plan, x, u), violation(plan, x)};
		plan->reach->watch(plan->reach->context, &progress);
	}
}

static AbutStatus set_kappa(Plan *plan, AbutError *error)
{
	const AbutReach *reach = plan->reach;
	const double kappa = fmax(reach->kappa * pow(reach->kappa_factor, plan->out->rounds), reach->least_kappa);
	abut_gradient_destroy(plan->gradient);
	plan->gradient = NULL;
	return abut_gradient_create(plan->world.model, kappa, &plan->gradient, error);
}

static void raise_penalty(Plan *plan, const double *x)
{
	double error[ABUT_REACH_CHANGES] = {0.0};
	find_error(plan, &x[plan->reach->horizon * STATE * plan->n], error);
	for (int i = 0; i < ROWS * plan->n; i++) {
		plan->multiplier[i] += plan->reach->bound[i] ? plan->penalty * error[i] : 0.0;
	}
	plan->penalty *= plan->reach->penalty_factor;
}

static AbutStatus take_round(Plan *plan, double *x, double *u, AbutError *error)
{
	const AbutReach *reach = plan->reach;
	AbutReached *out = plan->out;
	const AbutIlqrProblem problem = {reach->horizon, STATE * plan->n, ROWS * plan->n, reach->inputs,
	                                 reach->low,     reach->high,     plan,           step,
	                                 differentiate,  difference,      cost,           expand};
	AbutIlqrOptions options = reach->ilqr;
	AbutIlqrResult result;
	options.watch = watch;
	options.context = plan;
	AbutStatus status = set_kappa(plan, error);
	ABUT_THEN(status, abut_ilqr_solve(&problem, &options, x, u, &result, error));
	if (status == ABUT_OK) {
		out->rounds++;
		out->iterations += result.iterations;
		out->outcome = result.outcome;
		out->cost = total_cost(plan, x, u);
		out->violation = violation(plan, x);
		out->found = result.outcome != ABUT_ILQR_FAILED && out->violation <= reach->tolerance;
		raise_penalty(plan, x);
	}
	return status;
}

static AbutStatus open_world(Plan *plan, AbutError *error)
{
	const AbutReach *reach = plan->reach;
	const AbutStatus status = abut_world_open(&plan->world, reach->def, error);
	for (int i = 0; status == ABUT_OK && i < reach->def->n_bodies; i++) {
		if (!reach->def->bodies[i].is_static) {
			if (plan->n == ABUT_REACH_BODIES) {
				return abut_error_set(
				    error, ABUT_ERROR_ARGUMENT, NULL,
				    "the scene has more moving bodies than the %d that a plan supports",
				    ABUT_REACH_BODIES);
			}
			plan->bodies[plan->n++] = i;
		}
	}
	return status;
}

AbutStatus abut_reach_plan(const AbutReach *reach, double *x, double *u, AbutReached *out, AbutError *error)
{
	const double start = 1e-6 * abut_thread_us();
	*out = (AbutReached){.violation = NAN};
	Plan *plan = calloc(1, sizeof *plan);
	if (!plan) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for a plan");
	}
	plan->reach = reach;
	plan->out = out;
	plan->penalty = reach->penalty;
	AbutStatus status = open_world(plan, error);
	if (status == ABUT_OK) {
		get(plan, x);
	}
	for (int round = 0; status == ABUT_OK && round < reach->rounds && !out->found; round++) {
		status = take_round(plan, x, u, error);
	}
	abut_gradient_destroy(plan->gradient);
	abut_world_close(&plan->world);
	free(plan);
	out->seconds = 1e-6 * abut_thread_us() - start;
	return status;
}
