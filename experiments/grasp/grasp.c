/* Plans how two fingertips lift an object, through derivatives at several kappas (the single-level paper, section VI-C,
 * figure 1). */
#include <stdlib.h>
#include <string.h>

#include "abut/io.h"
#include "base/error.h"
#include "experiments/grasp/task.h"
#include "experiments/ilqr/plan_report.h"
#include "experiments/suite/experiment.h"
#include "experiments/suite/spec.h"

enum { MOST_KAPPAS = 8, MOST_STEPS = 100, PICTURES = 6, STATE = ABUT_GRASP_BODIES * ABUT_REACH_STATE };

/* Time of the paper's planner on a laptop, s. */
static const double published_seconds = 1.0;

typedef struct Settings {
	AbutSpec spec; /* owns the names */
	const char *scene;
	AbutGraspTask task;
	double kappas[MOST_KAPPAS];
	int n_kappas;
} Settings;

typedef struct Study {
	Settings settings;
	AbutReport *report;
	AbutTable *plans, *progress, *motion, *pictures;
	double x[(MOST_STEPS + 1) * STATE], u[MOST_STEPS * ABUT_GRASP_INPUTS];
} Study;

static const AbutKeySet keys =
    ABUT_SPEC_KEYS("grasp", "experiment", "scene", "horizon", "goal", "running", "turns", "fingers", "rest", "beside",
                   "effort", "largest", "guess", "penalty", "tolerance", "rounds", "iterations", "kappas");

static AbutStatus read_settings(const char *path, Settings *out, AbutError *error)
{
	static const char *const part = "scene";
	ABUT_TRY(abut_spec_open(&out->spec, path, &keys, error));
	const AbutNode *root = &out->spec.root;
	AbutGraspTask *task = &out->task;
	abut_require_integer(root, "horizon", 1, MOST_STEPS, &task->horizon);
	abut_require_vector(root, "goal", 3, ABUT_ANY, task->goal);
	abut_require_number(root, "running", ABUT_NONNEGATIVE, &task->running);
	abut_require_number(root, "turns", ABUT_NONNEGATIVE, &task->turns);
	abut_require_number(root, "fingers", ABUT_NONNEGATIVE, &task->fingers);
	abut_require_number(root, "rest", ABUT_NONNEGATIVE, &task->rest);
	abut_require_number(root, "beside", ABUT_NONNEGATIVE, &task->beside);
	abut_require_number(root, "effort", ABUT_POSITIVE, &task->effort);
	abut_require_number(root, "largest", ABUT_POSITIVE, &task->largest);
	abut_require_number(root, "guess", ABUT_NONNEGATIVE, &task->guess);
	abut_require_number(root, "penalty", ABUT_POSITIVE, &task->penalty);
	abut_require_number(root, "tolerance", ABUT_POSITIVE, &task->tolerance);
	abut_require_integer(root, "rounds", 1, ABUT_PLAN_ROUNDS, &task->rounds);
	abut_require_integer(root, "iterations", 1, 10000, &task->iterations);
	out->n_kappas = abut_spec_numbers(root, "kappas", MOST_KAPPAS, ABUT_NONNEGATIVE, out->kappas);
	AbutStatus status = out->spec.reader.status;
	return status == ABUT_OK ? abut_spec_parts(&out->spec, 1, &part, &out->scene) : status;
}

static AbutStatus check_scene(const AbutSceneDef *def, AbutError *error)
{
	int moving = 0;
	for (int i = 0; i < def->n_bodies; i++) {
		moving += !def->bodies[i].is_static;
	}
	if (moving != ABUT_GRASP_BODIES || def->n_bodies < moving || !def->quasi_static) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, "scene",
		    "the scene has %d moving bodies%s; it must be quasi-static with %d, as its last bodies", moving,
		    def->quasi_static ? "" : " and is not quasi-static", ABUT_GRASP_BODIES);
	}
	return ABUT_OK;
}

static void add_plan(Study *study, double kappa, const AbutReached *reached)
{
	abut_table_text(study->plans, reached->found ? "found" : "not found");
	abut_plan_cells(study->plans, kappa, reached);
	ABUT_NUMBERS(study->plans, (double)reached->differentiated, reached->seconds);
}

static void add_motion(Study *study, double timestep)
{
	static const char *const names[ABUT_GRASP_BODIES] = {"object", "left", "right"};
	for (int body = 0; body < ABUT_GRASP_BODIES; body++) {
		for (int k = 0; k <= study->settings.task.horizon; k++) {
			const double *x = &study->x[STATE * k + ABUT_REACH_STATE * body];
			abut_table_text(study->motion, names[body]);
			ABUT_NUMBERS(study->motion, k * timestep, x[0], x[1], x[2]);
		}
	}
}

/* Judges and shows the plan of the first kappa. */
static AbutStatus show(Study *study, const AbutReach *reach, const AbutReached *reached, AbutError *error)
{
	const int N = reach->horizon;
	const AbutView view = {.turn = 15.0, .rise = 10.0, .centre = {0.02, 0.0, 0.17}, .half = 0.26, .behind = 0.4};
	int steps[PICTURES];
	abut_report_target(
	    study->report, reached->found,
	    "derivatives at kappa %g: object within %.2g of its goal (m and rad), at most %g allowed; %d iterations",
	    reach->search.kappa, reached->violation, reach->tolerance, reached->iterations);
	abut_report_target(study->report, reached->seconds <= published_seconds,
	                   "planned in %.2f s of CPU time, at most %g s allowed", reached->seconds, published_seconds);
	add_motion(study, reach->def->timestep);
	for (int i = 0; i < PICTURES; i++) {
		steps[i] = i * N / (PICTURES - 1);
	}
	const AbutPlanPictures pictures = {study->pictures, &view, "", 0, PICTURES, steps};
	return abut_plan_pictures(reach, study->x, &pictures, error);
}

static AbutStatus plan_at(Study *study, const AbutSceneDef *def, int index, AbutError *error)
{
	AbutReached reached;
	AbutReach reach = abut_grasp_reach(&study->settings.task, def);
	AbutPlanProgress progress = {study->progress, "grasp", study->settings.kappas[index]};
	reach.search.kappa = study->settings.kappas[index];
	reach.search.watch = abut_plan_progress;
	reach.search.context = &progress;
	abut_grasp_guess(&study->settings.task, study->u);
	ABUT_TRY(abut_reach_plan(&reach, study->x, study->u, &reached, error));
	add_plan(study, reach.search.kappa, &reached);
	return index == 0 ? show(study, &reach, &reached, error) : ABUT_OK;
}

static void describe(const AbutGraspTask *task, const AbutSceneDef *def, AbutReport *report)
{
	const AbutBodyDef *object = &def->bodies[def->n_bodies - ABUT_GRASP_BODIES];
	abut_report_setting(report, "scene", "an object of %g kg on a floor, two fingertips; friction %g; quasi-static",
	                    object->mass, def->friction);
	abut_report_setting(report, "goal", "object at %g, %g, %g m, upright, to %g m and rad", task->goal[0],
	                    task->goal[1], task->goal[2], task->tolerance);
	abut_report_setting(report, "plan", "%d steps of %g s; commands of up to %g m a step in x, y, z each",
	                    task->horizon, def->timestep, task->largest);
	abut_report_setting(report, "first guess", "the fingertips approach each other by %g m a step", task->guess);
}

static void begin_tables(Study *study)
{
	static const AbutColumn spent[] = {{"differentiated", "differentiated", 6}, {"seconds", "s", 2}};
	static const AbutColumn motion[] = {
	    {"body", "body", 0}, {"time_s", "s", 3}, {"x_m", "x, m", 4}, {"y_m", "y, m", 4}, {"z_m", "z, m", 4},
	};
	study->plans = abut_report_table(study->report, "plans", "Plans");
	abut_table_column(study->plans, "result", "plan", 0);
	abut_plan_columns(study->plans);
	ABUT_COLUMNS(study->plans, spent);
	study->motion = ABUT_DATA(study->report, "motion", "Motion of the plan at the first kappa", motion);
	study->progress = abut_plan_progress_table(study->report, "progress");
	study->pictures = abut_frames_table(study->report, "fingers", "The plan as pictures");
}

static AbutStatus plan_all(const AbutExperimentRun *run, Study *study, AbutError *error)
{
	const Settings *settings = &study->settings;
	char path[ABUT_SPEC_PATH];
	AbutScene *scene = NULL;
	abut_spec_beside(run->spec, settings->scene, path);
	AbutStatus status = abut_input_status(abut_scene_load(path, 0, NULL, &scene, error));
	ABUT_THEN(status, check_scene(abut_scene_def(scene), error));
	if (status == ABUT_OK) {
		describe(&settings->task, abut_scene_def(scene), study->report);
		begin_tables(study);
	}
	for (int i = 0; status == ABUT_OK && i < settings->n_kappas; i++) {
		status = plan_at(study, abut_scene_def(scene), i, error);
	}
	abut_scene_destroy(scene);
	return status;
}

static AbutStatus execute(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	Study *study = calloc(1, sizeof *study);
	if (!study) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the plans");
	}
	study->report = report;
	AbutStatus status = read_settings(run->spec, &study->settings, error);
	ABUT_THEN(status, plan_all(run, study, error));
	if (status == ABUT_OK) {
		abut_report_figure(
		    report, "cost", 900, 420,
		    "Cost (left) and violation of the goal (right) over the iterations, one curve for each kappa.");
		abut_report_figure(report, "path", 900, 420,
		                   "Positions of the object and the fingertips, across (left) and up (right).");
		abut_frames_figure(report, "fingers", PICTURES, PICTURES / 2, 300, "The plan.");
	}
	abut_spec_close(&study->settings.spec);
	free(study);
	return status;
}

const AbutExperiment abut_experiment_grasp = {"grasp", "grasp", "Two fingertips lift an object by a planned grasp",
                                              execute};
