/* Makes free bodies a system to plan (plan.h). */
#include "experiments/ilqr/reach.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
	double J[ABUT_REACH_CHANGES * ABUT_REACH_BODIES * COLUMNS];
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

static bool step(void *context, int k, const double *x, const double *u, double *next)
{
	Plan *plan = context;
	AbutStepInfo info = {.tries = 0};
	(void)k;
	if (!set(plan, x, u) ||
	    abut_step(plan->world.model, plan->world.state, plan->world.workspace, &info) != ABUT_OK) {
		return false;
	}
	get(plan, next);
	return abut_step_is_solved(&info);
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
	    !abut_step_is_solved(&info) || abut_gradient_matrix(plan->gradient, plan->J, NULL) != ABUT_OK) {
		return false;
	}
	split(plan, A, B);
	return true;
}

/* --- the plan --- */

static AbutStatus set_kappa(void *const *contexts, int threads, double kappa, AbutError *error)
{
	Plan *plan = contexts[0];
	(void)threads;
	abut_gradient_destroy(plan->gradient);
	plan->gradient = NULL;
	return abut_gradient_create(plan->world.model, kappa, &plan->gradient, error);
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

/* Writes the goal and the weights of each k, which are constant up to the end. */
static void set_goal(const Plan *plan, double *reference, double *weights)
{
	const AbutReach *reach = plan->reach;
	const size_t state = STATE * (size_t)plan->n, change = ROWS * (size_t)plan->n;
	for (int k = 0; k <= reach->horizon; k++) {
		const double *own = k < reach->horizon ? reach->running : reach->final;
		memcpy(&reference[(size_t)k * state], reach->goal, state * sizeof(double));
		memcpy(&weights[(size_t)k * change], own, change * sizeof(double));
	}
}

static AbutStatus plan_bodies(Plan *plan, double *x, double *u, AbutReached *out, AbutError *error)
{
	const AbutReach *reach = plan->reach;
	const int state = STATE * plan->n, change = ROWS * plan->n;
	void *contexts[] = {plan};
	const AbutPlanSystem system = {.steps = {.horizon = reach->horizon,
	                                         .state = state,
	                                         .change = change,
	                                         .input = reach->inputs,
	                                         .threads = 1,
	                                         .contexts = contexts,
	                                         .step = step,
	                                         .differentiate = differentiate,
	                                         .difference = difference},
	                               .set_kappa = set_kappa};
	double *reference = calloc((size_t)(reach->horizon + 1) * (size_t)(state + change), sizeof *reference);
	if (!reference) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for a plan of %d steps",
		                      reach->horizon);
	}
	double *weights = &reference[(size_t)(reach->horizon + 1) * (size_t)state];
	const AbutPlanGoal goal = {.reference = reference,
	                           .weights = weights,
	                           .effort = reach->effort,
	                           .bound = reach->bound,
	                           .low = reach->low,
	                           .high = reach->high,
	                           .tolerance = reach->tolerance};
	set_goal(plan, reference, weights);
	get(plan, x);
	const AbutStatus status = abut_plan(&system, &goal, &reach->search, x, u, out, error);
	free(reference);
	return status;
}

AbutStatus abut_reach_plan(const AbutReach *reach, double *x, double *u, AbutReached *out, AbutError *error)
{
	*out = (AbutReached){.violation = NAN};
	Plan *plan = calloc(1, sizeof *plan);
	if (!plan) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for a plan");
	}
	plan->reach = reach;
	AbutStatus status = open_world(plan, error);
	ABUT_THEN(status, plan_bodies(plan, x, u, out, error));
	abut_gradient_destroy(plan->gradient);
	abut_world_close(&plan->world);
	free(plan);
	return status;
}
