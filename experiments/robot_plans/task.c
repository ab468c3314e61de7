/* Reads planning tasks. */
#include "experiments/robot_plans/task.h"

#include <string.h>

static const AbutKeySet task_keys =
    ABUT_SPEC_KEYS("plan", "name", "scene", "horizon", "timestep", "rests", "push", "effort", "running", "waypoints",
                   "gait", "bound", "tolerance", "search", "view");
static const AbutKeySet weight_keys =
    ABUT_SPEC_KEYS("weights", "place", "turn", "joints", "linear", "angular", "rates");
static const AbutKeySet waypoint_keys = ABUT_SPEC_KEYS("waypoint", "step", "base", "joints", "weights");
static const AbutKeySet gait_keys = ABUT_SPEC_KEYS("gait", "period", "lift", "lead");
static const AbutKeySet search_keys = ABUT_SPEC_KEYS("search", "rounds", "iterations", "kappa", "penalty",
                                                     "penalty_factor", "regularisation", "cost_tolerance");
static const AbutKeySet view_keys = ABUT_SPEC_KEYS("view", "turn", "rise", "centre", "half", "behind");

/* Finds a required object and checks its keys. */
static bool object_at(const AbutNode *parent, const char *key, const AbutKeySet *keys, AbutNode *out)
{
	return abut_node_require(parent, key, out) && abut_node_check_type(out, ABUT_JSON_OBJECT, "an object") &&
	       abut_node_check_keys(out, keys);
}

static void read_weights(const AbutNode *parent, const char *key, AbutTaskWeights *out)
{
	AbutNode node;
	if (object_at(parent, key, &weight_keys, &node)) {
		abut_read_number(&node, "place", ABUT_NONNEGATIVE, &out->place);
		abut_read_number(&node, "turn", ABUT_NONNEGATIVE, &out->turn);
		abut_read_number(&node, "joints", ABUT_NONNEGATIVE, &out->joints);
		abut_read_number(&node, "linear", ABUT_NONNEGATIVE, &out->linear);
		abut_read_number(&node, "angular", ABUT_NONNEGATIVE, &out->angular);
		abut_read_number(&node, "rates", ABUT_NONNEGATIVE, &out->rates);
	}
}

static void read_joints(const AbutNode *parent, AbutTaskWaypoint *out)
{
	AbutNode joints, joint;
	if (!abut_node_get(parent, "joints", &joints) ||
	    !abut_node_check_type(&joints, ABUT_JSON_OBJECT, "an object of coordinates by names of joints")) {
		return;
	}
	for (bool more = abut_node_first(&joints, &joint); more; more = abut_node_next(&joint)) {
		if (out->n_joints == ABUT_TASK_JOINTS) {
			abut_node_fail(&joints, ABUT_ERROR_ARGUMENT, "names more than %d joints", ABUT_TASK_JOINTS);
			return;
		}
		out->joints[out->n_joints] = joint.key;
		abut_node_number(&joint, ABUT_ANY, &out->coordinates[out->n_joints++]);
	}
}

static void read_waypoints(const AbutNode *plan, AbutTask *out)
{
	AbutNode array, node;
	int last = 0;
	if (!abut_spec_objects(plan, "waypoints", "waypoints", 1, ABUT_TASK_WAYPOINTS, &array)) {
		return;
	}
	for (bool more = abut_node_first(&array, &node); more; more = abut_node_next(&node)) {
		AbutTaskWaypoint *at = &out->waypoints[out->n_waypoints++];
		abut_node_check_keys(&node, &waypoint_keys);
		at->step = out->horizon;
		abut_read_integer(&node, "step", last + 1, out->horizon, &at->step);
		abut_read_vector(&node, "base", 3, ABUT_ANY, at->base);
		read_joints(&node, at);
		read_weights(&node, "weights", &at->weights);
		last = at->step;
	}
	if (last != out->horizon) {
		abut_node_fail(&array, ABUT_ERROR_ARGUMENT,
		               "the last waypoint is at step %d; it must be at the horizon, %d", last, out->horizon);
	}
}

/* Reads a gait of a plan of so many seconds, which must have time for a period. */
static void read_gait(const AbutNode *plan, double duration, AbutTaskGait *out)
{
	AbutNode node;
	if (abut_node_get(plan, "gait", &node) && object_at(plan, "gait", &gait_keys, &node)) {
		out->given = true;
		abut_require_number(&node, "period", ABUT_POSITIVE, &out->period);
		abut_require_number(&node, "lift", ABUT_POSITIVE, &out->lift);
		abut_require_number(&node, "lead", ABUT_NONNEGATIVE, &out->lead);
		if (abut_node_ok(&node) && !(duration - 2.0 * out->lead >= out->period * (1.0 - 1e-9))) {
			abut_node_fail(
			    &node, ABUT_ERROR_ARGUMENT,
			    "the plan takes %g s, of which %g s are left between the leads; a period of %g s needs "
			    "more",
			    duration, duration - 2.0 * out->lead, out->period);
		}
	}
}

static void read_bound(const AbutNode *plan, AbutTask *out)
{
	static const char *const names[] = {"place", "turn", "joints", "rates"};
	bool *const flags[] = {&out->bound_place, &out->bound_turn, &out->bound_joints, &out->bound_rates};
	AbutNode array, node;
	if (!abut_node_require(plan, "bound", &array) || !abut_node_check_array(&array, "an array of names")) {
		return;
	}
	for (bool more = abut_node_first(&array, &node); more; more = abut_node_next(&node)) {
		int which = 0;
		if (abut_node_choice(&node, names, 4, &which)) {
			*flags[which] = true;
		}
	}
}

static void read_search(const AbutNode *plan, AbutPlanSearch *out)
{
	AbutNode node;
	*out = (AbutPlanSearch){.penalty = 1.0, .penalty_factor = 10.0, .ilqr = abut_ilqr_options_default()};
	out->ilqr.cost_tolerance = 1e-4;
	if (!object_at(plan, "search", &search_keys, &node)) {
		return;
	}
	abut_require_integer(&node, "rounds", 1, ABUT_PLAN_ROUNDS, &out->rounds);
	abut_require_integer(&node, "iterations", 1, 10000, &out->ilqr.iterations);
	abut_require_number(&node, "kappa", ABUT_NONNEGATIVE, &out->kappa);
	abut_read_number(&node, "penalty", ABUT_POSITIVE, &out->penalty);
	abut_read_number(&node, "penalty_factor", ABUT_POSITIVE, &out->penalty_factor);
	abut_read_number(&node, "regularisation", ABUT_NONNEGATIVE, &out->ilqr.regularisation);
	abut_read_number(&node, "cost_tolerance", ABUT_NONNEGATIVE, &out->ilqr.cost_tolerance);
}

static void read_view(const AbutNode *plan, AbutView *out)
{
	AbutNode node;
	if (object_at(plan, "view", &view_keys, &node)) {
		abut_read_number(&node, "turn", ABUT_ANY, &out->turn);
		abut_read_number(&node, "rise", ABUT_ANY, &out->rise);
		abut_read_number(&node, "behind", ABUT_NONNEGATIVE, &out->behind);
		abut_require_vector(&node, "centre", 3, ABUT_ANY, out->centre);
		abut_require_number(&node, "half", ABUT_POSITIVE, &out->half);
	}
}

static void read_task(const AbutNode *plan, AbutTask *out)
{
	enum { MOST_STEPS = 1000 };
	abut_node_check_keys(plan, &task_keys);
	abut_require_name(plan, "name", &out->name);
	abut_require_name(plan, "scene", &out->scene);
	abut_require_integer(plan, "horizon", 1, MOST_STEPS, &out->horizon);
	abut_require_number(plan, "timestep", ABUT_POSITIVE, &out->timestep);
	abut_read_bool(plan, "rests", &out->rests);
	abut_read_number(plan, "push", ABUT_ANY, &out->push);
	abut_require_number(plan, "effort", ABUT_POSITIVE, &out->effort);
	read_weights(plan, "running", &out->running);
	read_waypoints(plan, out);
	read_gait(plan, out->horizon * out->timestep, &out->gait);
	read_bound(plan, out);
	abut_require_number(plan, "tolerance", ABUT_POSITIVE, &out->tolerance);
	read_search(plan, &out->search);
	read_view(plan, &out->view);
}

static void read_all(const AbutNode *root, AbutTaskSettings *out)
{
	AbutNode array, node;
	if (!abut_spec_objects(root, "plans", "plans", 1, ABUT_TASKS, &array)) {
		return;
	}
	for (bool more = abut_node_first(&array, &node); more; more = abut_node_next(&node)) {
		read_task(&node, &out->tasks[out->n_tasks++]);
	}
}

AbutStatus abut_task_read(const char *path, const char *name, AbutSpec *spec, AbutTaskSettings *out, AbutError *error)
{
	const AbutKeySet keys = ABUT_SPEC_KEYS(name, "experiment", "plans");
	memset(out, 0, sizeof *out);
	AbutStatus status = abut_spec_open(spec, path, &keys, error);
	if (status == ABUT_OK) {
		read_all(&spec->root, out);
		status = spec->reader.status;
	}
	return status;
}
