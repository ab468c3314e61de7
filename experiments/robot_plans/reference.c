/* Fills the arrays of a planning task. The reference of a step is the next waypoint, or a point of the gait. */
#include "experiments/robot_plans/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "experiments/robot_plans/gait.h"

/* Where the numbers of a robot are. */
typedef struct Layout {
	const AbutSceneDef *def;
	AbutRobot *robot;
	int n_q, n_v;
	int base_q, base_v; /* first entries of the base in q and qdot; -1: no base */
} Layout;

/* Refuses what a task cannot describe: bases that move in a plane. */
static AbutStatus layout_of(const AbutSceneDef *def, AbutRobotPlanner *planner, Layout *layout, AbutError *error)
{
	Layout out = {.def = def,
	              .robot = abut_robot_planner_robot(planner),
	              .n_q = abut_robot_planner_coordinates(planner),
	              .n_v = abut_robot_planner_rates(planner),
	              .base_q = -1,
	              .base_v = -1};
	for (int i = 0; i < def->n_bodies && out.base_q < 0; i++) {
		out.base_q = abut_robot_base_coordinate(out.robot, i);
		out.base_v = abut_robot_base_velocity(out.robot, i);
		if (out.base_q >= 0 && def->bodies[i].planar_xz) {
			return abut_error_set(
			    error, ABUT_ERROR_ARGUMENT, def->bodies[i].name,
			    "this base moves in a plane; a plan takes free bases and robots on the ground");
		}
	}
	*layout = out;
	return ABUT_OK;
}

static AbutStatus allocate(const AbutTask *task, const Layout *layout, int inputs, AbutTaskArrays *out,
                           AbutError *error)
{
	const size_t N = (size_t)task->horizon, m = (size_t)inputs;
	out->state = layout->n_q + layout->n_v;
	out->change = 2 * layout->n_v;
	out->inputs = inputs;
	const size_t state = (size_t)out->state, change = (size_t)out->change;
	out->memory = calloc(2 * (N + 1) * state + 2 * N * m + (N + 1) * change + 3 * m, sizeof *out->memory);
	out->bound = calloc(change, sizeof *out->bound);
	if (!out->memory || !out->bound) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for a plan of %d steps",
		                      task->horizon);
	}
	out->x = out->memory;
	out->reference = &out->x[(N + 1) * state];
	out->u = &out->reference[(N + 1) * state];
	out->weights = &out->u[N * m];
	out->effort = &out->weights[(N + 1) * change];
	out->rest = &out->effort[m];
	out->low = &out->rest[N * m];
	out->high = &out->low[m];
	return ABUT_OK;
}

/* --- weights --- */

static bool is_base(const Layout *layout, int i)
{
	return layout->base_v >= 0 && i >= layout->base_v && i < layout->base_v + 6;
}

/* Writes six values, of the base's place and turn, of joints, and of their rates, to each change that they belong to.
 */
static void spread(const Layout *layout, const double value[6], double *out)
{
	for (int i = 0; i < layout->n_v; i++) {
		const int kind = !is_base(layout, i) ? 2 : i < layout->base_v + 3 ? 0 : 1;
		out[i] = value[kind];
		out[layout->n_v + i] = value[kind == 2 ? 5 : 3 + kind];
	}
}

static void spread_weights(const Layout *layout, const AbutTaskWeights *w, double *out)
{
	spread(layout, (const double[]){w->place, w->turn, w->joints, w->linear, w->angular, w->rates}, out);
}

static void spread_bound(const AbutTask *task, const Layout *layout, AbutTaskArrays *out)
{
	const double rates = task->bound_rates;
	double *flags = out->weights; /* not filled yet */
	spread(layout, (const double[]){task->bound_place, task->bound_turn, task->bound_joints, rates, rates, rates},
	       flags);
	for (int i = 0; i < out->change; i++) {
		out->bound[i] = flags[i] != 0.0;
	}
}

/* --- states --- */

static int find_joint(const AbutSceneDef *def, const char *name)
{
	for (int i = 0; i < def->n_joints; i++) {
		if (strcmp(def->joints[i].name, name) == 0) {
			return i;
		}
	}
	return -1;
}

/* Writes the state of a waypoint: that of the start, displaced. */
static AbutStatus waypoint_state(const Layout *layout, const AbutTaskWaypoint *at, const double *start, double *x,
                                 AbutError *error)
{
	memcpy(x, start, (size_t)(layout->n_q + layout->n_v) * sizeof *x);
	for (int i = 0; layout->base_q >= 0 && i < 3; i++) {
		x[layout->base_q + i] += at->base[i];
	}
	for (int i = 0; i < at->n_joints; i++) {
		const int joint = find_joint(layout->def, at->joints[i]);
		const int entry = joint < 0 ? -1 : abut_robot_joint_coordinate(layout->robot, joint);
		if (entry < 0) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, at->joints[i],
			                      "no joint of this name has coordinates of its own in scene %s",
			                      layout->def->name);
		}
		if (abut_joint_type_freedoms(layout->def->joints[joint].type) != 1) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, at->joints[i],
			                      "this joint has %d freedoms; a waypoint sets joints with one",
			                      abut_joint_type_freedoms(layout->def->joints[joint].type));
		}
		x[entry] = at->coordinates[i];
	}
	return ABUT_OK;
}

static AbutStatus follow_waypoints(const AbutTask *task, const Layout *layout, AbutTaskArrays *out, AbutError *error)
{
	int k = 0;
	for (int i = 0; i < task->n_waypoints; i++) {
		const AbutTaskWaypoint *at = &task->waypoints[i];
		double *end = &out->reference[(size_t)at->step * (size_t)out->state];
		ABUT_TRY(waypoint_state(layout, at, out->x, end, error));
		spread_weights(layout, &at->weights, &out->weights[(size_t)at->step * (size_t)out->change]);
		for (; k < at->step; k++) {
			memcpy(&out->reference[(size_t)k * (size_t)out->state], end, (size_t)out->state * sizeof *end);
			spread_weights(layout, &task->running, &out->weights[(size_t)k * (size_t)out->change]);
		}
		k = at->step + 1;
	}
	return ABUT_OK;
}

/* --- inputs --- */

/* Share of a motor's limit that plans use: at the limit itself, a step has only one-sided derivatives. */
static const double inside = 0.999;

/* Passes on why a function of the robot refused its arguments. */
static AbutStatus explain(const AbutRobot *robot, AbutStatus status, AbutError *error)
{
	if (status == ABUT_ERROR_ARGUMENT && error) {
		*error = *abut_robot_error(robot);
	}
	return status;
}

/* Computes the efforts that hold the start, (n_v). */
static AbutStatus find_rest(AbutRobotPlanner *planner, const double *x, double *effort, AbutError *error)
{
	AbutRobot *robot = abut_robot_planner_robot(planner);
	const AbutModel *model = abut_robot_planner_model(planner);
	AbutState *start = NULL, *after = NULL;
	AbutRobotInverse info;
	double *still = calloc((size_t)abut_robot_planner_rates(planner), sizeof *still);
	AbutStatus status =
	    still ? ABUT_OK : abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for a plan");
	ABUT_THEN(status, abut_state_create(model, &start, error));
	ABUT_THEN(status, abut_state_create(model, &after, error));
	ABUT_THEN(status, explain(robot, abut_robot_planner_set(planner, x, start), error));
	ABUT_THEN(status, explain(robot, abut_robot_advance(robot, start, still, after), error));
	ABUT_THEN(status, abut_robot_inverse(robot, start, after, effort, &info, error));
	abut_state_destroy(after);
	abut_state_destroy(start);
	free(still);
	return status;
}

/* Returns the input of step k that follows the reference with the effort that holds the start: this effort itself, or
 * the target of a servo. */
static double resting_input(const AbutMotorDef *motor, double effort, double coordinate)
{
	return motor->type == ABUT_MOTOR_POSITION ? coordinate + effort / motor->stiffness : effort;
}

/* Refuses motors that a plan cannot drive. */
static AbutStatus check_motor(const AbutRobot *robot, const AbutSceneDef *def, int joint, const AbutMotorDef *motor,
                              AbutError *error)
{
	const char *name = def->joints[joint].name;
	if (abut_robot_joint_coordinate(robot, joint) < 0) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, name,
		    "the motor of this joint closes a loop; a plan needs motors on joints of the tree");
	}
	if (motor->type != ABUT_MOTOR_FORCE && motor->type != ABUT_MOTOR_POSITION) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, name,
		                      "this motor holds a rate; a plan takes motors of the types force and position");
	}
	return ABUT_OK;
}

static AbutStatus fill_inputs(const AbutTask *task, const AbutSceneDef *def, AbutRobotPlanner *planner,
                              AbutTaskArrays *out, AbutError *error)
{
	const AbutRobot *robot = abut_robot_planner_robot(planner);
	double *effort = calloc((size_t)abut_robot_planner_rates(planner), sizeof *effort);
	AbutStatus status =
	    effort ? ABUT_OK : abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for a plan");
	for (int i = 0; status == ABUT_OK && i < out->inputs; i++) {
		const AbutParameter which = abut_robot_planner_input(planner, i);
		status = check_motor(robot, def, which.part, &def->joints[which.part].axes[which.index].motor, error);
	}
	if (task->rests) {
		ABUT_THEN(status, find_rest(planner, out->x, effort, error));
	}
	for (int i = 0; status == ABUT_OK && i < out->inputs; i++) {
		const AbutParameter which = abut_robot_planner_input(planner, i);
		const AbutMotorDef *motor = &def->joints[which.part].axes[which.index].motor;
		const bool limited = motor->type == ABUT_MOTOR_FORCE && motor->limit > 0.0;
		const int q = abut_robot_joint_coordinate(robot, which.part) + which.index;
		const double held = effort[abut_robot_joint_velocity(robot, which.part) + which.index];
		out->effort[i] = task->effort;
		out->high[i] = limited ? inside * motor->limit : (double)INFINITY;
		out->low[i] = -out->high[i];
		for (int k = 0; k < task->horizon; k++) {
			const int at = k * out->inputs + i;
			out->rest[at] = resting_input(motor, held, out->reference[(k + 1) * out->state + q]);
			out->u[at] = task->rests ? out->rest[at] : task->push;
		}
	}
	free(effort);
	return status;
}

/* --- all --- */

static AbutStatus fill(const AbutTask *task, const Layout *layout, AbutRobotPlanner *planner, AbutTaskArrays *out,
                       AbutError *error)
{
	ABUT_TRY(abut_robot_planner_start(planner, out->x, error));
	spread_bound(task, layout, out);
	ABUT_TRY(follow_waypoints(task, layout, out, error));
	if (task->gait.given) {
		const AbutGaitStates states = {.planner = planner,
		                               .def = layout->def,
		                               .base = layout->base_q,
		                               .horizon = task->horizon,
		                               .timestep = task->timestep,
		                               .start = out->x};
		const double *way = task->waypoints[task->n_waypoints - 1].base;
		ABUT_TRY(abut_gait_fill(&task->gait, &states, way, out->reference, error));
	}
	return fill_inputs(task, layout->def, planner, out, error);
}

AbutStatus abut_task_arrays(const AbutTask *task, const AbutSceneDef *def, AbutRobotPlanner *planner,
                            AbutTaskArrays *out, AbutError *error)
{
	Layout layout;
	*out = (AbutTaskArrays){.memory = NULL};
	AbutStatus status = layout_of(def, planner, &layout, error);
	ABUT_THEN(status, allocate(task, &layout, abut_robot_planner_inputs(planner), out, error));
	ABUT_THEN(status, fill(task, &layout, planner, out, error));
	if (status != ABUT_OK) {
		abut_task_arrays_free(out);
	}
	return status;
}

void abut_task_arrays_free(AbutTaskArrays *arrays)
{
	free(arrays->memory);
	free(arrays->bound);
	*arrays = (AbutTaskArrays){.memory = NULL};
}

AbutPlanGoal abut_task_goal(const AbutTask *task, const AbutTaskArrays *arrays)
{
	return (AbutPlanGoal){.reference = arrays->reference,
	                      .weights = arrays->weights,
	                      .effort = arrays->effort,
	                      .rest = task->rests ? arrays->rest : NULL,
	                      .bound = arrays->bound,
	                      .low = arrays->low,
	                      .high = arrays->high,
	                      .tolerance = task->tolerance};
}
