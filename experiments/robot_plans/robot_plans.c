/* Plans tasks of robots and reports the plans. */
#include "experiments/robot_plans/robot_plans.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "abut/io.h"
#include "base/error.h"
#include "experiments/ilqr/plan_report.h"
#include "experiments/robot_plans/reference.h"

enum { PICTURES = 6 };

typedef struct Study {
	const AbutExperimentRun *run;
	const AbutPublishedPlan *published;
	int n_published;
	AbutReport *report;
	AbutTable *plans, *progress, *motion;
} Study;

/* A task with what it plans. */
typedef struct Trip {
	int index;
	const AbutTask *task;
	const AbutSceneDef *def;
	AbutRobotPlanner *planner;
	AbutTaskArrays arrays;
	AbutReached reached;
} Trip;

/* --- report --- */

static void begin_tables(Study *study)
{
	static const AbutColumn plans[] = {{"plan", "plan", 0}, {"planner", "planner", 0}, {"result", "result", 0}};
	static const AbutColumn spent[] = {
	    {"unsolved", "unsolved", 3}, {"differentiated", "differentiated", 6}, {"seconds", "s", 3}};
	static const AbutColumn motion[] = {
	    {"plan", "plan", 0}, {"time_s", "s", 4}, {"name", "name", 0}, {"value", "value", 6}, {"reference", "", 6}};
	study->plans = ABUT_TABLE(study->report, "plans", "Plans, and published ones", plans);
	abut_plan_columns(study->plans);
	ABUT_COLUMNS(study->plans, spent);
	abut_table_note(study->plans,
	                "Published plans have other weights and robots. Unsolved: rollouts in which a step failed.");
	study->motion =
	    ABUT_DATA(study->report, "motion", "Coordinates (m, rad), rates and inputs (N, N m) of the plans", motion);
	study->progress = abut_plan_progress_table(study->report, "progress");
}

static void add_published(const Study *study, const char *name)
{
	for (int i = 0; i < study->n_published; i++) {
		const AbutPublishedPlan *row = &study->published[i];
		if (strcmp(row->plan, name) == 0) {
			abut_table_text(study->plans, row->plan);
			abut_table_text(study->plans, row->planner);
			abut_table_text(study->plans, isnan(row->cost) ? "failure" : "solved");
			ABUT_NUMBERS(study->plans, NAN, row->cost, row->violation, row->iterations, NAN, NAN, NAN, NAN,
			             NAN);
		}
	}
}

static void add_plan(const Study *study, const Trip *trip)
{
	const AbutReached *reached = &trip->reached;
	const AbutTask *task = trip->task;
	abut_table_text(study->plans, task->name);
	abut_table_text(study->plans, "Abut");
	abut_table_text(study->plans, reached->found ? "solved" : "failure");
	abut_plan_cells(study->plans, task->search.kappa, reached);
	ABUT_NUMBERS(study->plans, reached->unsolved, (double)reached->differentiated, reached->seconds);
	abut_report_target(study->report, reached->found,
	                   "%s: violation %.2g, at most %g; cost %.4g, %d iterations, %.2g s%s%s", task->name,
	                   reached->violation, task->tolerance, reached->cost, reached->iterations, reached->seconds,
	                   reached->why.status == ABUT_OK ? "" : "; a step has no derivative: ",
	                   reached->why.status == ABUT_OK ? "" : reached->why.message);
}

static void add_value(const Study *study, const Trip *trip, int k, const char *name, double value, double reference)
{
	abut_table_text(study->motion, trip->task->name);
	abut_table_number(study->motion, k * trip->task->timestep);
	abut_table_text(study->motion, name);
	ABUT_NUMBERS(study->motion, value, reference);
}

static void add_motion(const Study *study, const Trip *trip)
{
	const AbutTaskArrays *a = &trip->arrays;
	const AbutRobot *robot = abut_robot_planner_robot(trip->planner);
	const int n_q = abut_robot_planner_coordinates(trip->planner);
	char name[ABUT_SPEC_PATH];
	for (int k = 0; k <= trip->task->horizon; k++) {
		for (int i = 0; i < n_q; i++) {
			const int at = k * a->state + i;
			add_value(study, trip, k, abut_robot_coordinate_name(robot, i), a->x[at], a->reference[at]);
		}
		for (int i = 0; k < trip->task->horizon && i < a->inputs; i++) {
			const AbutParameter motor = abut_robot_planner_input(trip->planner, i);
			snprintf(name, sizeof name, "motor %s", trip->def->joints[motor.part].name);
			add_value(study, trip, k, name, a->u[k * a->inputs + i], a->rest[k * a->inputs + i]);
		}
	}
}

static AbutStatus draw(const Study *study, const Trip *trip, AbutError *error)
{
	static const char *const figures[ABUT_TASKS] = {"plan_1", "plan_2", "plan_3", "plan_4"};
	const AbutTask *task = trip->task;
	const char *figure = figures[trip->index];
	const AbutModel *model = abut_robot_planner_model(trip->planner);
	AbutTable *table = abut_frames_table(study->report, figure, "A plan as pictures");
	AbutState *state = NULL;
	AbutStatus status = abut_state_create(model, &state, error);
	for (int i = 0; status == ABUT_OK && i < PICTURES; i++) {
		const int k = (int)lround((double)i * task->horizon / (PICTURES - 1));
		char text[64];
		snprintf(text, sizeof text, "t = %.3g s", k * task->timestep);
		status = abut_robot_planner_set(trip->planner, &trip->arrays.x[k * trip->arrays.state], state);
		if (status == ABUT_OK) {
			const AbutFrame frame = {i, text, trip->def, model, state, NULL};
			status = abut_frames_add(&frame, &task->view, table, error);
		}
	}
	abut_state_destroy(state);
	if (status == ABUT_OK) {
		abut_frames_figure(study->report, figure, PICTURES, 3, 300, "A plan at six times.");
	}
	return status;
}

/* --- plans --- */

static AbutStatus plan(Study *study, Trip *trip, AbutError *error)
{
	const AbutTask *task = trip->task;
	AbutTaskArrays *a = &trip->arrays;
	AbutPlanProgress progress = {study->progress, task->name, task->search.kappa};
	AbutPlanSearch search = task->search;
	ABUT_TRY(abut_task_arrays(task, trip->def, trip->planner, a, error));
	const AbutPlanGoal goal = abut_task_goal(task, a);
	search.watch = abut_plan_progress;
	search.context = &progress;
	ABUT_TRY(abut_robot_plan(trip->planner, &goal, &search, a->x, a->u, &trip->reached, error));
	add_plan(study, trip);
	add_motion(study, trip);
	return draw(study, trip, error);
}

static void describe(const Study *study, const Trip *trip)
{
	const AbutTask *task = trip->task;
	const AbutTaskWeights *w = &task->running;
	const AbutTaskWeights *end = &task->waypoints[task->n_waypoints - 1].weights;
	abut_report_setting(
	    study->report, task->name,
	    "%s: %d steps of %g s, %d motors, %d numbers of state; weights of place, turn, joints and of their rates: "
	    "%g %g %g %g %g %g a step, %g %g %g %g %g %g at the end; effort %g; derivatives at kappa %g",
	    task->scene, task->horizon, task->timestep, trip->arrays.inputs, trip->arrays.change, w->place, w->turn,
	    w->joints, w->linear, w->angular, w->rates, end->place, end->turn, end->joints, end->linear, end->angular,
	    end->rates, task->effort, task->search.kappa);
}

static AbutStatus plan_task(Study *study, const AbutTaskSettings *settings, int index, AbutError *error)
{
	char path[ABUT_SPEC_PATH], timestep[64];
	const char *const overrides[] = {timestep};
	AbutScene *scene = NULL;
	const AbutTask *task = &settings->tasks[index];
	Trip trip = {.index = index, .task = task};
	const int threads = study->run->threads < ABUT_ILQR_THREADS ? study->run->threads : ABUT_ILQR_THREADS;
	snprintf(timestep, sizeof timestep, "timestep=%.17g", task->timestep);
	abut_spec_beside(study->run->spec, task->scene, path);
	add_published(study, task->name);
	AbutStatus status = abut_input_status(abut_scene_load(path, 1, overrides, &scene, error));
	if (status == ABUT_OK) {
		trip.def = abut_scene_def(scene);
		status = abut_robot_planner_open(trip.def, task->horizon, threads, &trip.planner, error);
	}
	ABUT_THEN(status, plan(study, &trip, error));
	if (status == ABUT_OK) {
		describe(study, &trip);
	}
	abut_task_arrays_free(&trip.arrays);
	abut_robot_planner_close(trip.planner);
	abut_scene_destroy(scene);
	return status;
}

AbutStatus abut_robot_plans_run(const char *name, int n, const AbutPublishedPlan *published,
                                const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	Study study = {.run = run, .published = published, .n_published = n, .report = report};
	AbutTaskSettings settings;
	AbutSpec spec;
	AbutStatus status = abut_task_read(run->spec, name, &spec, &settings, error);
	if (status == ABUT_OK) {
		begin_tables(&study);
	}
	for (int i = 0; status == ABUT_OK && i < settings.n_tasks; i++) {
		status = plan_task(&study, &settings, i, error);
		abut_experiment_progress(run, (i + 1.0) / settings.n_tasks);
	}
	if (status == ABUT_OK) {
		abut_report_common_figure(
		    report, "cost", "plan_cost", 900, 420,
		    "Cost (left) and violation of the goal (right) over the iterations. The cost may rise "
		    "because the penalty of the goal rises from round to round.");
	}
	abut_spec_close(&spec);
	return status;
}
