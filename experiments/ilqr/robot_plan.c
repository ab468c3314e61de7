/* Makes a robot a system to plan (plan.h). A rollout keeps the states that it reaches, so that its steps can be
 * differentiated as they were taken. */
#include "experiments/ilqr/robot_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "experiments/setting/world.h"

/* What a rollout needs, and its states. */
typedef struct Seat {
	AbutRobotPlanner *planner;
	AbutState *state;
	AbutState **reached; /* (horizon + 1) of the last rollout */
	AbutWorkspace *workspace;
	AbutRobot *robot;
	AbutLinear *linear;
	int failed_at; /* first step without a derivative; -1: none */
	AbutError why; /* of this step */
} Seat;

struct AbutRobotPlanner {
	AbutModel *model;
	int horizon, threads;
	int n_q, n_v, n_u;
	Seat seats[ABUT_ILQR_THREADS];
	void *contexts[ABUT_ILQR_THREADS];
	AbutParameter *inputs; /* the motors */
	AbutState **kept;      /* (horizon + 1) of the trajectory */
	AbutState **memory;    /* all of these arrays */
};

/* --- steps --- */

static void difference(void *context, const double *from, const double *to, double *change)
{
	const Seat *seat = context;
	const AbutRobotPlanner *p = seat->planner;
	if (abut_robot_difference(seat->robot, from, to, change) != ABUT_OK) { /* turned by half a turn or more */
		for (int i = 0; i < p->n_v; i++) {
			change[i] = NAN;
		}
	}
	for (int i = 0; i < p->n_v; i++) {
		change[p->n_v + i] = to[p->n_q + i] - from[p->n_q + i];
	}
}

static bool set_inputs(const Seat *seat, const double *u)
{
	const AbutRobotPlanner *p = seat->planner;
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < p->n_u; i++) {
		status = abut_state_set_motor(p->model, seat->state, p->inputs[i].part, p->inputs[i].index, u[i]);
	}
	return status == ABUT_OK;
}

/* Steps the seat's state. */
static bool advance(Seat *seat, const double *u, double *next)
{
	AbutStepInfo info = {.tries = 0};
	if (!set_inputs(seat, u) || abut_step(seat->planner->model, seat->state, seat->workspace, &info) != ABUT_OK) {
		return false;
	}
	return abut_step_is_solved(&info) &&
	       abut_robot_get_state(seat->robot, seat->state, next, &next[seat->planner->n_q]) == ABUT_OK;
}

static bool step(void *context, int k, const double *x, const double *u, double *next)
{
	Seat *seat = context;
	const AbutModel *model = seat->planner->model;
	(void)x;
	return abut_state_copy(model, seat->reached[k], seat->state) == ABUT_OK && advance(seat, u, next) &&
	       abut_state_copy(model, seat->state, seat->reached[k + 1]) == ABUT_OK;
}

static void keep(void *context)
{
	Seat *seat = context;
	AbutState **reached = seat->reached;
	seat->reached = seat->planner->kept;
	seat->planner->kept = reached;
}

/* --- derivatives --- */

static bool differentiate(void *context, int k, const double *x, const double *u, double *A, double *B)
{
	Seat *seat = context;
	AbutStepInfo info = {.tries = 0};
	(void)x;
	if (abut_state_copy(seat->planner->model, seat->planner->kept[k], seat->state) != ABUT_OK ||
	    !set_inputs(seat, u) || abut_linear_step(seat->linear, seat->state, seat->workspace, &info) != ABUT_OK ||
	    !abut_step_is_solved(&info)) {
		return false;
	}
	AbutError why = {.status = ABUT_OK};
	const bool done = abut_linear_matrices(seat->linear, A, B, NULL, &why) == ABUT_OK;
	if (!done && (seat->failed_at < 0 || k < seat->failed_at)) {
		seat->failed_at = k;
		seat->why = why;
	}
	return done;
}

/* Creates memory for derivatives, which hold the directions of joints' impulses. */
static AbutStatus create_linear(const AbutRobotPlanner *planner, double kappa, AbutLinear **out, AbutError *error)
{
	ABUT_TRY(abut_linear_create(planner->model, kappa, out, error));
	abut_linear_hold_turns(*out, true);
	return ABUT_OK;
}

static AbutStatus set_kappa(void *const *contexts, int threads, double kappa, AbutError *error)
{
	for (int i = 0; i < threads; i++) {
		Seat *seat = contexts[i];
		if (abut_linear_kappa(seat->linear) != kappa) {
			abut_linear_destroy(seat->linear);
			seat->linear = NULL;
			ABUT_TRY(create_linear(seat->planner, kappa, &seat->linear, error));
		}
	}
	return ABUT_OK;
}

/* --- planner --- */

static AbutStatus create_states(const AbutModel *model, int n, AbutState **out, AbutError *error)
{
	for (int i = 0; i < n; i++) {
		ABUT_TRY(abut_state_create(model, &out[i], error));
	}
	return ABUT_OK;
}

static AbutStatus open_seat(AbutRobotPlanner *planner, Seat *seat, AbutError *error)
{
	const AbutModel *model = planner->model;
	seat->planner = planner;
	ABUT_TRY(abut_state_create(model, &seat->state, error));
	ABUT_TRY(create_states(model, planner->horizon + 1, seat->reached, error));
	ABUT_TRY(abut_workspace_create(model, &seat->workspace, error));
	ABUT_TRY(abut_robot_create(model, &seat->robot, error));
	return create_linear(planner, 0.0, &seat->linear, error);
}

/* Allocates arrays and finds the motors. */
static AbutStatus begin(AbutRobotPlanner *planner, AbutError *error)
{
	AbutLinear *linear = NULL;
	AbutRobot *robot = NULL;
	AbutStatus status = abut_linear_create(planner->model, 0.0, &linear, error);
	ABUT_THEN(status, abut_robot_create(planner->model, &robot, error));
	if (status == ABUT_OK) {
		planner->n_q = abut_robot_coordinate_count(robot);
		planner->n_v = abut_robot_velocity_count(robot);
		planner->n_u = abut_linear_input_count(linear);
		const size_t states = (size_t)planner->horizon + 1;
		planner->inputs = calloc((size_t)planner->n_u + 1, sizeof *planner->inputs);
		planner->memory = calloc(states * ((size_t)planner->threads + 1), sizeof(AbutState *));
		if (!planner->inputs || !planner->memory) {
			status = abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for a plan of %d steps",
			                        planner->horizon);
		}
		planner->kept = planner->memory;
		for (int i = 0; status == ABUT_OK && i < planner->threads; i++) {
			Seat *seat = &planner->seats[i];
			seat->reached = &planner->memory[states * ((size_t)i + 1)];
			planner->contexts[i] = seat;
		}
		for (int i = 0; status == ABUT_OK && i < planner->n_u; i++) {
			planner->inputs[i] = abut_linear_input(linear, i);
		}
	}
	abut_robot_destroy(robot);
	abut_linear_destroy(linear);
	return status;
}

AbutStatus abut_robot_planner_open(const AbutSceneDef *def, int horizon, int threads, AbutRobotPlanner **out,
                                   AbutError *error)
{
	*out = NULL;
	if (horizon < 1 || threads < 1 || threads > ABUT_ILQR_THREADS) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "a plan has %d steps and %d threads; allowed are at least 1, and 1 to %d",
		                      horizon, threads, ABUT_ILQR_THREADS);
	}
	AbutRobotPlanner *planner = calloc(1, sizeof *planner);
	if (!planner) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for a plan");
	}
	planner->horizon = horizon;
	planner->threads = threads;
	AbutStatus status = abut_model_create(def, &planner->model, error);
	ABUT_THEN(status, begin(planner, error));
	ABUT_THEN(status, create_states(planner->model, horizon + 1, planner->kept, error));
	for (int i = 0; status == ABUT_OK && i < threads; i++) {
		status = open_seat(planner, &planner->seats[i], error);
	}
	if (status != ABUT_OK) {
		abut_robot_planner_close(planner);
		return status;
	}
	*out = planner;
	return ABUT_OK;
}

void abut_robot_planner_close(AbutRobotPlanner *planner)
{
	if (!planner) {
		return;
	}
	for (int i = 0; i < planner->threads; i++) {
		Seat *seat = &planner->seats[i];
		abut_linear_destroy(seat->linear);
		abut_robot_destroy(seat->robot);
		abut_workspace_destroy(seat->workspace);
		abut_state_destroy(seat->state);
	}
	for (int i = 0; planner->memory && i < (planner->threads + 1) * (planner->horizon + 1); i++) {
		abut_state_destroy(planner->memory[i]);
	}
	free(planner->memory);
	free(planner->inputs);
	abut_model_destroy(planner->model);
	free(planner);
}

const AbutModel *abut_robot_planner_model(const AbutRobotPlanner *planner)
{
	return planner->model;
}

AbutRobot *abut_robot_planner_robot(AbutRobotPlanner *planner)
{
	return planner->seats[0].robot;
}

int abut_robot_planner_coordinates(const AbutRobotPlanner *planner)
{
	return planner->n_q;
}

int abut_robot_planner_rates(const AbutRobotPlanner *planner)
{
	return planner->n_v;
}

int abut_robot_planner_inputs(const AbutRobotPlanner *planner)
{
	return planner->n_u;
}

AbutParameter abut_robot_planner_input(const AbutRobotPlanner *planner, int i)
{
	return planner->inputs[i];
}

AbutStatus abut_robot_planner_start(AbutRobotPlanner *planner, double *x, AbutError *error)
{
	AbutState *start = NULL;
	ABUT_TRY(abut_state_create(planner->model, &start, error));
	const AbutStatus status = abut_robot_get_state(planner->seats[0].robot, start, x, &x[planner->n_q]);
	abut_state_destroy(start);
	return status;
}

AbutStatus abut_robot_planner_set(AbutRobotPlanner *planner, const double *x, AbutState *state)
{
	return abut_robot_set_state(planner->seats[0].robot, x, &x[planner->n_q], state);
}

AbutStatus abut_robot_plan(AbutRobotPlanner *planner, const AbutPlanGoal *goal, const AbutPlanSearch *search, double *x,
                           double *u, AbutReached *out, AbutError *error)
{
	const AbutPlanSystem system = {.steps = {.horizon = planner->horizon,
	                                         .state = planner->n_q + planner->n_v,
	                                         .change = 2 * planner->n_v,
	                                         .input = planner->n_u,
	                                         .threads = planner->threads,
	                                         .contexts = planner->contexts,
	                                         .step = step,
	                                         .keep = keep,
	                                         .differentiate = differentiate,
	                                         .difference = difference},
	                               .set_kappa = set_kappa};
	ABUT_TRY(abut_robot_planner_start(planner, x, error));
	for (int i = 0; i < planner->threads; i++) {
		planner->seats[i].failed_at = -1;
	}
	const AbutStatus status = abut_plan(&system, goal, search, x, u, out, error);
	const Seat *first = NULL;
	for (int i = 0; i < planner->threads; i++) {
		const Seat *seat = &planner->seats[i];
		first = seat->failed_at >= 0 && (!first || seat->failed_at < first->failed_at) ? seat : first;
	}
	if (first && out->outcome == ABUT_ILQR_FAILED) {
		out->why = first->why;
	}
	return status;
}
