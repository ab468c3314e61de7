/* Tests plans of robots: against the closed form of a linear problem, and that a plan is a run of the scene. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abut/io.h"
#include "experiments/ilqr/robot_plan.h"
#include "experiments/robot_plans/reference.h"
#include "experiments/robot_plans/trot.h"
#include "io/text/file_text.h"

enum { STEPS = 20, MOST = 64 };

/* A cart of 2 kg on a rail, driven by a force. */
static const char cart[] =
    "{\"abut\": 1, \"timestep\": 0.05, \"gravity\": [0, 0, 0],"
    "\"bodies\": [{\"name\": \"cart\", \"mass\": 2, \"shape\": {\"type\": \"box\", \"half_extents\": [0.1, 0.1, "
    "0.1]}}],"
    "\"joints\": [{\"name\": \"rail\", \"type\": \"slide\", \"parent\": \"world\", \"child\": \"cart\","
    "\"anchor\": [0, 0, 0], \"axis\": [1, 0, 0], \"motor\": {\"type\": \"force\", \"limit\": 1000}}]}";
static const double mass = 2.0, dt = 0.05;

static AbutScene *parse(const char *text)
{
	AbutScene *scene = NULL;
	AbutError error = {.status = ABUT_OK};
	cr_assert_eq(abut_scene_parse(text, strlen(text), "test", 0, NULL, &scene, &error), ABUT_OK, "%s",
	             error.message);
	return scene;
}

static AbutPlanSearch search_of(void)
{
	AbutPlanSearch search = {
	    .rounds = 12, .penalty = 100.0, .penalty_factor = 10.0, .ilqr = abut_ilqr_options_default()};
	search.ilqr.cost_tolerance = 1e-14;
	return search;
}

/* The least |u|^2 that moves the cart to x = 1 at rest: u = G' (G G')^-1 (1, 0), with the place and the rate at the end
 * by each input, G_0k = dt (N - k) dt / m and G_1k = dt / m. */
static void least_inputs(double u[STEPS])
{
	double a = 0.0, b = 0.0, c = 0.0;
	for (int k = 0; k < STEPS; k++) {
		const double g0 = dt * dt * (STEPS - k) / mass, g1 = dt / mass;
		a += g0 * g0;
		b += g0 * g1;
		c += g1 * g1;
	}
	for (int k = 0; k < STEPS; k++) {
		u[k] = (c * dt * dt * (STEPS - k) / mass - b * dt / mass) / (a * c - b * b);
	}
}

/* Plans the cart from rest to x = 1, at rest, with no weights but those of inputs. */
static AbutReached plan_cart(int threads, const double *high, double x[2 * (STEPS + 1)], double u[STEPS])
{
	AbutScene *scene = parse(cart);
	AbutRobotPlanner *planner = NULL;
	AbutReached reached;
	AbutError error = {.status = ABUT_OK};
	double reference[2 * (STEPS + 1)] = {0.0}, weights[2 * (STEPS + 1)] = {0.0}, low = -INFINITY;
	const double effort = 1.0;
	const bool bound[2] = {true, true};
	reference[2 * STEPS] = 1.0;
	const AbutPlanGoal goal = {.reference = reference,
	                           .weights = weights,
	                           .effort = &effort,
	                           .bound = bound,
	                           .low = high ? &low : NULL,
	                           .high = high,
	                           .tolerance = 1e-9};
	const AbutPlanSearch search = search_of();
	memset(u, 0, STEPS * sizeof *u);
	cr_assert_eq(abut_robot_planner_open(abut_scene_def(scene), STEPS, threads, &planner, &error), ABUT_OK, "%s",
	             error.message);
	cr_assert_eq(abut_robot_plan(planner, &goal, &search, x, u, &reached, &error), ABUT_OK, "%s", error.message);
	abut_robot_planner_close(planner);
	abut_scene_destroy(scene);
	return reached;
}

Test(robot_plan, of_a_cart_is_the_closed_form)
{
	double x[2 * (STEPS + 1)], u[STEPS], best[STEPS], least = 0.0;
	const AbutReached reached = plan_cart(1, NULL, x, u);
	least_inputs(best);
	cr_expect(reached.found && reached.unsolved == 0, "violation %g", reached.violation);
	for (int k = 0; k < STEPS; k++) {
		least += best[k] * best[k];
		cr_expect_float_eq(u[k], best[k], 1e-6, "step %d: %g and %g", k, u[k], best[k]);
	}
	cr_expect_float_eq(reached.cost, least, 1e-6 * least);
	cr_expect_float_eq(x[2 * STEPS], 1.0, 1e-9);
	cr_expect_float_eq(x[2 * STEPS + 1], 0.0, 1e-9);
}

/* With a bound on the force, the plan keeps it and costs more. */
Test(robot_plan, keeps_bounds)
{
	double x[2 * (STEPS + 1)], u[STEPS], best[STEPS], least = 0.0;
	least_inputs(best);
	const double high = 0.8 * best[0];
	for (int k = 0; k < STEPS; k++) {
		least += best[k] * best[k];
	}
	const AbutReached reached = plan_cart(1, &high, x, u);
	cr_expect(reached.found, "violation %g", reached.violation);
	cr_expect_gt(reached.cost, least * (1.0 + 1e-6));
	for (int k = 0; k < STEPS; k++) {
		cr_expect_leq(u[k], high);
	}
	cr_expect_eq(u[0], high);
}

/* --- tasks --- */

typedef struct Planned {
	AbutSpec spec;
	AbutTaskSettings settings;
	AbutScene *scene;
	AbutRobotPlanner *planner;
	AbutTaskArrays arrays;
	AbutReached reached;
} Planned;

/* Reads the first task of an experiment, and plans it in so many rounds. */
static void plan_task(const char *folder, const char *name, int rounds, int threads, Planned *out)
{
	memset(out, 0, sizeof *out);
	char path[ABUT_SPEC_PATH], scene[ABUT_SPEC_PATH], timestep[64];
	const char *const overrides[] = {timestep};
	AbutError error = {.status = ABUT_OK};
	snprintf(path, sizeof path, "%s/experiments/%s/spec.json", ABUT_SOURCE_DIR, folder);
	cr_assert_eq(abut_task_read(path, name, &out->spec, &out->settings, &error), ABUT_OK, "%s", error.message);
	AbutTask *task = &out->settings.tasks[0];
	task->search.rounds = rounds;
	snprintf(timestep, sizeof timestep, "timestep=%.17g", task->timestep);
	abut_spec_beside(path, task->scene, scene);
	cr_assert_eq(abut_scene_load(scene, 1, overrides, &out->scene, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_robot_planner_open(abut_scene_def(out->scene), task->horizon, threads, &out->planner, &error),
	             ABUT_OK);
	cr_assert_eq(abut_task_arrays(task, abut_scene_def(out->scene), out->planner, &out->arrays, &error), ABUT_OK,
	             "%s: %s", error.where, error.message);
	const AbutPlanGoal goal = abut_task_goal(task, &out->arrays);
	cr_assert_eq(
	    abut_robot_plan(out->planner, &goal, &task->search, out->arrays.x, out->arrays.u, &out->reached, &error),
	    ABUT_OK, "%s", error.message);
}

static void end(Planned *planned)
{
	abut_task_arrays_free(&planned->arrays);
	abut_robot_planner_close(planned->planner);
	abut_scene_destroy(planned->scene);
	abut_spec_close(&planned->spec);
}

/* Runs the scene with the planned inputs: it must follow the plan bit for bit. */
static void expect_run(Planned *planned)
{
	const AbutTaskArrays *a = &planned->arrays;
	const AbutModel *model = abut_robot_planner_model(planned->planner);
	AbutRobot *robot = abut_robot_planner_robot(planned->planner);
	const int n_q = abut_robot_planner_coordinates(planned->planner);
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	double x[2 * MOST];
	cr_assert_leq(a->state, 2 * MOST);
	cr_assert_eq(abut_state_create(model, &state, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(model, &workspace, NULL), ABUT_OK);
	for (int k = 0; k < planned->settings.tasks[0].horizon; k++) {
		AbutStepInfo info = {.row = 0};
		for (int i = 0; i < a->inputs; i++) {
			const AbutParameter motor = abut_robot_planner_input(planned->planner, i);
			cr_assert_eq(
			    abut_state_set_motor(model, state, motor.part, motor.index, a->u[k * a->inputs + i]),
			    ABUT_OK);
			cr_expect(a->u[k * a->inputs + i] >= a->low[i] && a->u[k * a->inputs + i] <= a->high[i]);
		}
		cr_assert_eq(abut_step(model, state, workspace, &info), ABUT_OK);
		cr_assert_eq(abut_robot_get_state(robot, state, x, &x[n_q]), ABUT_OK);
		cr_assert_arr_eq(x, &a->x[(k + 1) * a->state], (size_t)a->state * sizeof *x, "step %d", k);
	}
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
}

Test(robot_plan, a_hop_is_a_run_of_the_scene)
{
	static Planned planned;
	plan_task("hopper", "hopper", 12, 2, &planned);
	const AbutTaskArrays *a = &planned.arrays;
	const int body = 3, N = planned.settings.tasks[0].horizon; /* q: hip, leg, then the base */
	cr_expect(planned.reached.found && planned.reached.unsolved == 0, "violation %g", planned.reached.violation);
	expect_run(&planned);
	cr_expect_float_eq(a->x[N * a->state + body], 0.5, 1e-3);
	double highest = 0.0;
	for (int k = 0; k <= N; k++) {
		highest = fmax(highest, a->x[k * a->state + body + 2]);
	}
	cr_expect_gt(highest, 0.7, "%g m", highest); /* it stands at 0.55 m */
	end(&planned);
}

/* A swing-up takes shares of changes, so that with several threads a later rollout may become the trajectory. The plan
 * and all its counts are the same on any number of threads. */
Test(robot_plan, is_the_same_on_any_number_of_threads)
{
	static const int threads[3] = {1, 2, 5};
	static Planned planned[3];
	for (int i = 0; i < 3; i++) {
		plan_task("swing_up", "swing-up", 3, threads[i], &planned[i]);
		const AbutReached *one = &planned[0].reached, *own = &planned[i].reached;
		const AbutTaskArrays *a = &planned[i].arrays;
		const size_t N = (size_t)planned[i].settings.tasks[0].horizon;
		cr_expect_gt(own->rollouts, own->iterations + own->rounds, "%d threads: no share was taken",
		             threads[i]);
		cr_expect_arr_eq(a->x, planned[0].arrays.x, (N + 1) * (size_t)a->state * sizeof *a->x);
		cr_expect_arr_eq(a->u, planned[0].arrays.u, N * (size_t)a->inputs * sizeof *a->u);
		cr_expect(own->iterations == one->iterations && own->rollouts == one->rollouts &&
		              own->steps == one->steps && own->differentiated == one->differentiated &&
		              own->unsolved == one->unsolved,
		          "%d threads", threads[i]);
		expect_run(&planned[i]);
	}
	for (int i = 0; i < 3; i++) {
		end(&planned[i]);
	}
}

Test(robot_plan, a_trot_is_a_run_of_the_scene)
{
	static Planned planned;
	plan_task("quadruped", "quadruped", 4, 2, &planned);
	cr_expect(planned.reached.found && planned.reached.unsolved == 0, "violation %g", planned.reached.violation);
	expect_run(&planned);
	end(&planned);
}

/* In a trot, the base covers the whole way, feet of a diagonal move together, at least two feet stand at any time, feet
 * do not move while they stand, and at the end all are below the base as at the start. */
Test(robot_plan, a_trot_moves_feet_by_diagonals)
{
	const AbutTaskGait gait = {.given = true, .period = 0.4, .lift = 0.05, .lead = 0.2};
	const double way[3] = {0.3, 0.1, 0.0}, duration = 2.0;
	double last[ABUT_GAIT_FEET][3] = {{0.0}}, highest = 0.0;
	for (int k = 0; k <= 2000; k++) {
		double base[3], feet[ABUT_GAIT_FEET][3];
		int standing = 0;
		abut_gait_places(&gait, duration, way, duration * k / 2000.0, base, feet);
		cr_assert_arr_eq(feet[0], feet[3], sizeof feet[0]);
		cr_assert_arr_eq(feet[1], feet[2], sizeof feet[1]);
		for (int i = 0; i < ABUT_GAIT_FEET; i++) {
			const bool stands = feet[i][2] == 0.0 && last[i][2] == 0.0;
			standing += feet[i][2] == 0.0;
			highest = fmax(highest, feet[i][2]);
			cr_assert(!stands || k == 0 || fabs(feet[i][0] - last[i][0]) <= 1e-12, "foot %d at %d", i, k);
			memcpy(last[i], feet[i], sizeof last[i]);
		}
		cr_assert_geq(standing, 2, "at %d", k);
		if (k == 0 || k == 2000) {
			for (int i = 0; i < ABUT_GAIT_FEET; i++) {
				cr_assert_float_eq(feet[i][0], base[0], 1e-12);
			}
			cr_assert_float_eq(base[0], k ? way[0] : 0.0, 1e-12);
		}
	}
	cr_expect_float_eq(highest, gait.lift, 1e-6);
}

/* Opens a scene and fills the arrays of the first task of swing-up for it. */
static AbutStatus arrays_for(const char *text, const char *joint, AbutError *error)
{
	Planned planned = {.scene = parse(text)};
	char path[ABUT_SPEC_PATH];
	snprintf(path, sizeof path, "%s/experiments/swing_up/spec.json", ABUT_SOURCE_DIR);
	cr_assert_eq(abut_task_read(path, "swing-up", &planned.spec, &planned.settings, error), ABUT_OK);
	AbutTask *task = &planned.settings.tasks[0];
	task->waypoints[0].n_joints = joint ? 1 : 0;
	task->waypoints[0].joints[0] = joint;
	cr_assert_eq(abut_robot_planner_open(abut_scene_def(planned.scene), task->horizon, 1, &planned.planner, error),
	             ABUT_OK);
	const AbutStatus status =
	    abut_task_arrays(task, abut_scene_def(planned.scene), planned.planner, &planned.arrays, error);
	end(&planned);
	return status;
}

#define BOX "\"shape\": {\"type\": \"box\", \"half_extents\": [0.1, 0.1, 0.1]}, \"mass\": 1"
#define SCENE(BODIES, JOINTS) "{\"abut\": 1, \"bodies\": [" BODIES "], \"joints\": [" JOINTS "]}"
#define HINGE(NAME, PARENT, CHILD, X, MOTOR)                                                                           \
	"{\"name\": \"" NAME "\", \"type\": \"hinge\", \"parent\": \"" PARENT "\", \"child\": \"" CHILD                \
	"\", \"anchor\": [" X ", 0, 0], \"axis\": [0, 1, 0]" MOTOR "}"
#define FORCE ", \"motor\": {\"type\": \"force\", \"limit\": 5}"

Test(robot_plan, refuses_what_it_cannot_describe)
{
	static const struct {
		const char *scene, *joint, *where, *message;
	} cases[] = {
	    {SCENE("{\"name\": \"a\", " BOX "}", HINGE("h", "world", "a", "0", FORCE)), "rial", "rial",
	     "no joint of this name"},
	    {SCENE("{\"name\": \"a\", " BOX "}",
	           HINGE("h", "world", "a", "0", ", \"motor\": {\"type\": \"velocity\", \"damping\": 1}")),
	     NULL, "h", "holds a rate"},
	    {SCENE("{\"name\": \"a\", " BOX "}, {\"name\": \"b\", " BOX ", \"position\": [1, 0, 0]}",
	           HINGE("h", "world", "a", "0", "") ", " HINGE("i", "a", "b", "1", "") ", " HINGE("j", "world", "b",
	                                                                                           "1", FORCE)),
	     NULL, "j", "closes a loop"},
	    {SCENE("{\"name\": \"a\", \"planar\": \"xz\", " BOX "}, {\"name\": \"b\", \"planar\": \"xz\", " BOX
	           ", \"position\": [1, 0, 0]}",
	           HINGE("h", "a", "b", "0.5", FORCE)),
	     NULL, "a", "moves in a plane"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		AbutError error = {.status = ABUT_OK};
		cr_expect_eq(arrays_for(cases[i].scene, cases[i].joint, &error), ABUT_ERROR_ARGUMENT, "case %zu", i);
		cr_expect_str_eq(error.where, cases[i].where);
		cr_expect_not_null(strstr(error.message, cases[i].message), "case %zu: %s", i, error.message);
	}
}

/* A gait needs time for a period between its leads. */
Test(robot_plan, refuses_a_gait_without_time)
{
	AbutSpec spec;
	AbutTaskSettings settings;
	AbutError error = {.status = ABUT_OK};
	char path[ABUT_SPEC_PATH], *text = NULL, *lead = NULL;
	size_t length = 0;
	snprintf(path, sizeof path, "%s/experiments/quadruped/spec.json", ABUT_SOURCE_DIR);
	cr_assert_eq(abut_file_read(path, "spec", 1 << 20, &text, &length, &error), ABUT_OK);
	lead = strstr(text, "\"lead\": 0.2");
	cr_assert_not_null(lead);
	memcpy(lead, "\"lead\": 0.9", 11);
	char changed[] = "/tmp/abut-gait-XXXXXX";
	const int file = mkstemp(changed);
	cr_assert(file >= 0 && write(file, text, length) == (ssize_t)length && close(file) == 0);
	cr_expect_neq(abut_task_read(changed, "quadruped", &spec, &settings, &error), ABUT_OK);
	cr_expect_not_null(strstr(error.message, "0.2 s are left"), "%s", error.message);
	abut_spec_close(&spec);
	unlink(changed);
	free(text);
}
