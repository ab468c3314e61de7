/* Plans by rounds of iterative LQR. The constraint at the end, c = x_N - r_N in the bound numbers, is met by minimising
 *
 *      cost + sum of (multiplier c + penalty c^2 / 2),    between which  multiplier += penalty c,  penalty *= factor.
 *
 * The difference of a rotation from the reference is its rotation vector phi. The derivative of |phi|^2 / 2 by small
 * turns about the body's own axes is phi for any length. The derivative of phi in the constraint is approximated by the
 * identity, which is exact at the goal. */
#include "experiments/ilqr/plan.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"

typedef struct Plan {
	const AbutPlanSystem *system;
	const AbutPlanGoal *goal;
	const AbutPlanSearch *search;
	double *error, *multiplier; /* (change) */
	double penalty;
	AbutReached *out;
} Plan;

/* Computes the difference of a state from the reference at k. */
static const double *find_error(const Plan *plan, int k, const double *x)
{
	const AbutIlqrProblem *steps = &plan->system->steps;
	steps->difference(steps->contexts[0], &plan->goal->reference[(size_t)k * (size_t)steps->state], x, plan->error);
	return plan->error;
}

static const double *weights_at(const Plan *plan, int k)
{
	return &plan->goal->weights[(size_t)k * (size_t)plan->system->steps.change];
}

static double input_error(const Plan *plan, int k, int i, const double *u)
{
	return u[i] - (plan->goal->rest ? plan->goal->rest[k * plan->system->steps.input + i] : 0.0);
}

/* --- the cost --- */

static double plain_cost(const Plan *plan, int k, const double *x, const double *u)
{
	const AbutIlqrProblem *steps = &plan->system->steps;
	const double *weights = weights_at(plan, k), *error = find_error(plan, k, x);
	double sum = 0.0;
	for (int i = 0; i < steps->change; i++) {
		sum += weights[i] * error[i] * error[i];
	}
	for (int i = 0; u && i < steps->input; i++) {
		const double d = input_error(plan, k, i, u);
		sum += plan->goal->effort[i] * d * d;
	}
	return sum;
}

static double cost(void *context, int k, const double *x, const double *u)
{
	const Plan *plan = context;
	const AbutIlqrProblem *steps = &plan->system->steps;
	double sum = plain_cost(plan, k, x, u);
	for (int i = 0; k == steps->horizon && i < steps->change; i++) {
		if (plan->goal->bound[i]) {
			sum += (plan->multiplier[i] + 0.5 * plan->penalty * plan->error[i]) * plan->error[i];
		}
	}
	return sum;
}

static void expand(void *context, int k, const double *x, const double *u, AbutIlqrExpansion *out)
{
	const Plan *plan = context;
	const AbutIlqrProblem *steps = &plan->system->steps;
	const double *weights = weights_at(plan, k), *error = find_error(plan, k, x);
	const int n = steps->change, m = steps->input;
	for (int i = 0; i < n; i++) {
		const bool bound = k == steps->horizon && plan->goal->bound[i];
		out->xx[n * i + i] = 2.0 * weights[i] + (bound ? plan->penalty : 0.0);
		out->x[i] =
		    2.0 * weights[i] * error[i] + (bound ? plan->multiplier[i] + plan->penalty * error[i] : 0.0);
	}
	for (int i = 0; u && i < m; i++) {
		out->uu[m * i + i] = 2.0 * plan->goal->effort[i];
		out->u[i] = 2.0 * plan->goal->effort[i] * input_error(plan, k, i, u);
	}
}

static double total_cost(const Plan *plan, const double *x, const double *u)
{
	const AbutIlqrProblem *steps = &plan->system->steps;
	const int N = steps->horizon;
	double sum = plain_cost(plan, N, &x[(size_t)N * (size_t)steps->state], NULL);
	for (int k = 0; k < N; k++) {
		sum += plain_cost(plan, k, &x[(size_t)k * (size_t)steps->state], &u[(size_t)k * (size_t)steps->input]);
	}
	return sum;
}

static double violation(const Plan *plan, const double *x)
{
	const AbutIlqrProblem *steps = &plan->system->steps;
	const double *error = find_error(plan, steps->horizon, &x[(size_t)steps->horizon * (size_t)steps->state]);
	double largest = 0.0;
	for (int i = 0; i < steps->change; i++) {
		const double own = plan->goal->bound[i] ? fabs(error[i]) : 0.0;
		largest = own > largest || isnan(own) ? own : largest; /* stays NaN */
	}
	return largest;
}

/* --- rounds --- */

/* The context of an iteration's watch: a plan inside a round. */
static void watch(void *context, int iteration, double augmented, const double *x, const double *u)
{
	const Plan *plan = context;
	if (plan->search->watch) {
		const AbutReachProgress progress = {plan->out->rounds, plan->out->iterations + iteration, augmented,
		                                    total_cost(plan, x, u), violation(plan, x)};
		plan->search->watch(plan->search->context, &progress);
	}
}

static void raise_penalty(Plan *plan, const double *x)
{
	const AbutIlqrProblem *steps = &plan->system->steps;
	const double *error = find_error(plan, steps->horizon, &x[(size_t)steps->horizon * (size_t)steps->state]);
	for (int i = 0; i < steps->change; i++) {
		plan->multiplier[i] += plan->goal->bound[i] ? plan->penalty * error[i] : 0.0;
	}
	plan->penalty *= plan->search->penalty_factor;
}

static AbutStatus take_round(Plan *plan, double *x, double *u, AbutError *error)
{
	const AbutPlanSearch *search = plan->search;
	AbutReached *out = plan->out;
	AbutIlqrProblem problem = plan->system->steps;
	AbutIlqrOptions options = search->ilqr;
	AbutIlqrResult result;
	problem.low = plan->goal->low;
	problem.high = plan->goal->high;
	problem.cost_context = plan;
	problem.cost = cost;
	problem.expand = expand;
	options.watch = watch;
	options.context = plan;
	ABUT_TRY(abut_ilqr_solve(&problem, &options, x, u, &result, error));
	out->rounds++;
	out->iterations += result.iterations;
	out->rollouts += result.rollouts;
	out->unsolved += result.unsolved;
	out->steps += result.steps;
	out->differentiated += result.differentiated;
	out->outcome = result.outcome;
	out->cost = total_cost(plan, x, u);
	out->violation = violation(plan, x);
	out->found = result.outcome != ABUT_ILQR_FAILED && out->violation <= plan->goal->tolerance;
	raise_penalty(plan, x);
	return ABUT_OK;
}

/* Returns whether further rounds would fail as well. */
static bool stuck(const AbutReached *out)
{
	return out->rounds > 0 && (out->outcome == ABUT_ILQR_FAILED || isnan(out->violation));
}

AbutStatus abut_plan(const AbutPlanSystem *system, const AbutPlanGoal *goal, const AbutPlanSearch *search, double *x,
                     double *u, AbutReached *out, AbutError *error)
{
	const double start = 1e-6 * abut_now_us();
	const size_t n = (size_t)system->steps.change;
	Plan plan = {.system = system, .goal = goal, .search = search, .penalty = search->penalty, .out = out};
	AbutStatus status = ABUT_OK;
	*out = (AbutReached){.violation = NAN};
	plan.error = calloc(2 * n, sizeof *plan.error);
	if (!plan.error) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for a plan");
	}
	plan.multiplier = &plan.error[n];
	status = system->set_kappa(system->steps.contexts, system->steps.threads, search->kappa, error);
	for (int round = 0; status == ABUT_OK && round < search->rounds && !out->found && !stuck(out); round++) {
		status = take_round(&plan, x, u, error);
	}
	free(plan.error);
	out->seconds = 1e-6 * abut_now_us() - start;
	return status;
}
