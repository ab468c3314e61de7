/* Plans forces that move a box to the right and up, through derivatives at several kappas (the Dojo paper, section V-B,
 * table III). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "experiments/box_moves/box.h"
#include "experiments/ilqr/plan_report.h"
#include "experiments/suite/experiment.h"
#include "experiments/suite/spec.h"

enum { MOST_KAPPAS = 8, MOST_STEPS = 100, RIGHT = 0, UP = 1, MOVES = 2, PICTURES = 4 };

typedef struct Settings {
	AbutBoxMove move; /* all but its displacement `way` */
	double distance, tolerance, kappas[MOST_KAPPAS];
	int rounds, iterations, n_kappas;
} Settings;

/* A row of table III; NaN: not solved. */
typedef struct Row {
	const char *name, *planner;
	double cost, violation, iterations;
} Row;
static const char *const names[MOVES] = {"box right", "box up"};
static const Row published[] = {
    {"box right", "Dojo, kappa 3e-4, 0.1 s", 14.5, 3e-3, 30},
    {"box right", "MuJoCo, 0.01 s", 13.5, 3e-3, 95},
    {"box up", "Dojo, kappa 3e-4, 0.1 s", 14.5, 3e-3, 106},
    {"box up", "MuJoCo, 0.01 s", NAN, 1.0, NAN},
};

static const AbutKeySet keys =
    ABUT_SPEC_KEYS("box-moves", "experiment", "side", "mass", "friction", "timestep", "horizon", "distance", "running",
                   "final", "effort", "tolerance", "rounds", "iterations", "kappas");

static void read_settings(const AbutNode *root, void *settings)
{
	Settings *out = settings;
	abut_require_number(root, "side", ABUT_POSITIVE, &out->move.side);
	abut_require_number(root, "mass", ABUT_POSITIVE, &out->move.mass);
	abut_require_number(root, "friction", ABUT_NONNEGATIVE, &out->move.friction);
	abut_require_number(root, "timestep", ABUT_POSITIVE, &out->move.timestep);
	abut_require_integer(root, "horizon", 1, MOST_STEPS, &out->move.horizon);
	abut_require_number(root, "distance", ABUT_POSITIVE, &out->distance);
	abut_require_number(root, "running", ABUT_NONNEGATIVE, &out->move.running);
	abut_require_number(root, "final", ABUT_NONNEGATIVE, &out->move.final);
	abut_require_number(root, "effort", ABUT_POSITIVE, &out->move.effort);
	abut_require_number(root, "tolerance", ABUT_POSITIVE, &out->tolerance);
	abut_require_integer(root, "rounds", 1, ABUT_PLAN_ROUNDS, &out->rounds);
	abut_require_integer(root, "iterations", 1, 10000, &out->iterations);
	out->n_kappas = abut_spec_numbers(root, "kappas", MOST_KAPPAS, ABUT_NONNEGATIVE, out->kappas);
}

typedef struct Trip {
	double x[(MOST_STEPS + 1) * ABUT_REACH_STATE], u[MOST_STEPS * ABUT_BOX_INPUTS];
} Trip;

typedef struct Study {
	const Settings *settings;
	AbutReport *report;
	AbutTable *plans, *progress, *motion, *pictures;
	Trip trip;
} Study;

static void add_published(Study *study, int move)
{
	for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
		const Row *row = &published[i];
		if (strcmp(row->name, names[move]) == 0) {
			abut_table_text(study->plans, row->name);
			abut_table_text(study->plans, row->planner);
			abut_table_text(study->plans, isnan(row->cost) ? "failure" : "solved");
			ABUT_NUMBERS(study->plans, NAN, row->cost, row->violation, row->iterations, NAN, NAN, NAN);
		}
	}
}

static void add_plan(Study *study, int move, double kappa, const AbutReached *reached)
{
	abut_table_text(study->plans, names[move]);
	abut_table_text(study->plans, "Abut");
	abut_table_text(study->plans, reached->found ? "solved" : "failure");
	abut_plan_cells(study->plans, kappa, reached);
	abut_table_number(study->plans, 1e3 * reached->seconds);
}

static void add_motion(Study *study, int move, int horizon)
{
	for (int k = 0; k <= horizon; k++) {
		const double *x = &study->trip.x[ABUT_REACH_STATE * k];
		const double *u = k < horizon ? &study->trip.u[ABUT_BOX_INPUTS * k] : NULL;
		abut_table_text(study->motion, names[move]);
		ABUT_NUMBERS(study->motion, k * study->settings->move.timestep, x[0], x[2], u ? u[0] : (double)NAN,
		             u ? u[2] : (double)NAN);
	}
}

static AbutStatus draw(Study *study, int move, const AbutReach *reach, AbutError *error)
{
	const double distance = study->settings->distance, side = study->settings->move.side;
	const AbutView view = {
	    .turn = 0.0,
	    .rise = 12.0,
	    .centre = {move == RIGHT ? 0.5 * distance : 0.0, 0.0, move == RIGHT ? 0.5 * side : 0.5 * (distance + side)},
	    .half = 0.5 * distance + side,
	    .behind = 2.0 * side};
	const int N = reach->horizon, steps[PICTURES] = {0, (N + 2) / 3, (2 * N + 2) / 3, N};
	const AbutPlanPictures pictures = {study->pictures, &view, names[move], PICTURES * move, PICTURES, steps};
	return abut_plan_pictures(reach, study->trip.x, &pictures, error);
}

/* Judges and shows the plan of the first kappa, which is the largest. */
static AbutStatus show(Study *study, int move, const AbutReach *reach, const AbutReached *reached, AbutError *error)
{
	abut_report_target(study->report, reached->found,
	                   "%s, derivatives at kappa %g: violation %.2g, at most %g; cost %.4g, %d iterations",
	                   names[move], reach->search.kappa, reached->violation, reach->tolerance, reached->cost,
	                   reached->iterations);
	add_motion(study, move, reach->horizon);
	return draw(study, move, reach, error);
}

static AbutStatus plan_at(Study *study, int move, int index, AbutError *error)
{
	const Settings *settings = study->settings;
	AbutBoxMove asked = settings->move;
	AbutBoxTask task;
	AbutReached reached;
	AbutPlanProgress progress = {study->progress, names[move], settings->kappas[index]};
	asked.way[move == RIGHT ? 0 : 2] = settings->distance;
	AbutStatus status = abut_box_task(&asked, &task, error);
	if (status == ABUT_OK) {
		AbutReach *reach = &task.reach;
		reach->tolerance = settings->tolerance;
		reach->search.rounds = settings->rounds;
		reach->search.kappa = settings->kappas[index];
		reach->search.penalty = 1.0;
		reach->search.penalty_factor = 10.0;
		reach->search.ilqr.iterations = settings->iterations;
		reach->search.ilqr.cost_tolerance = 1e-3;
		reach->search.watch = abut_plan_progress;
		reach->search.context = &progress;
		memset(study->trip.u, 0, sizeof study->trip.u);
		status = abut_reach_plan(reach, study->trip.x, study->trip.u, &reached, error);
	}
	if (status == ABUT_OK) {
		add_plan(study, move, settings->kappas[index], &reached);
		status = index == 0 ? show(study, move, &task.reach, &reached, error) : ABUT_OK;
	}
	abut_on_floor_close(&task.scene);
	return status;
}

static void describe(const Settings *settings, AbutReport *report)
{
	const AbutBoxMove *move = &settings->move;
	abut_report_setting(report, "box", "a cube of %g m, %g kg, on a floor; friction %g", move->side, move->mass,
	                    move->friction);
	abut_report_setting(
	    report, "goal",
	    "%g m to the right, or up, at rest, with an error of at most %g in every number of the state",
	    settings->distance, settings->tolerance);
	abut_report_setting(report, "plan", "%d steps of %g s; a force in x, y, z at each, from zero", move->horizon,
	                    move->timestep);
	abut_report_setting(report, "cost",
	                    "%g |state - goal|^2 (turns with weight 1/4) + %g |force|^2 a step, %g at the end",
	                    move->running, move->effort, move->final);
	abut_report_setting(report, "planner",
	                    "iterative LQR of up to %d iterations in up to %d rounds of an augmented Lagrangian, whose "
	                    "penalty grows tenfold from 1",
	                    settings->iterations, settings->rounds);
}

static void begin_tables(Study *study)
{
	static const AbutColumn plans[] = {
	    {"move", "move", 0},
	    {"planner", "planner", 0},
	    {"result", "result", 0},
	};
	static const AbutColumn motion[] = {
	    {"move", "move", 0},
	    {"time_s", "s", 3},
	    {"x_m", "x, m", 4},
	    {"z_m", "z, m", 4},
	    {"force_x_n", "force x, N", 4},
	    {"force_z_n", "force z, N", 4},
	};
	study->plans = ABUT_TABLE(study->report, "plans", "Plans, and published ones", plans);
	abut_plan_columns(study->plans);
	abut_table_column(study->plans, "ms", "ms", 3);
	study->motion = ABUT_DATA(study->report, "motion", "Motion and forces of the plans at the first kappa", motion);
	study->progress = abut_plan_progress_table(study->report, "progress");
	study->pictures = abut_frames_table(study->report, "boxes", "The plans as pictures");
}

static void add_figures(AbutReport *report)
{
	abut_report_figure(report, "cost", 900, 560,
	                   "Cost (above) and violation of the goal (below) over the iterations, one curve for each "
	                   "kappa. A box that does not move costs 11. The cost rises because the penalty of the goal "
	                   "rises from round to round, while the violation falls.");
	abut_report_figure(report, "path", 900, 420, "Position of the box and the planned forces.");
	abut_frames_figure(report, "boxes", MOVES * PICTURES, PICTURES, 240, "The two plans.");
}

static AbutStatus plan_all(Study *study, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	for (int move = 0; status == ABUT_OK && move < MOVES; move++) {
		add_published(study, move);
		for (int i = 0; status == ABUT_OK && i < study->settings->n_kappas; i++) {
			status = plan_at(study, move, i, error);
		}
	}
	return status;
}

static AbutStatus execute(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	Settings settings = {.rounds = 0};
	ABUT_TRY(abut_spec_read(run->spec, &keys, read_settings, &settings, error));
	Study *study = calloc(1, sizeof *study);
	if (!study) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the plans");
	}
	study->settings = &settings;
	study->report = report;
	describe(&settings, report);
	begin_tables(study);
	AbutStatus status = plan_all(study, error);
	if (status == ABUT_OK) {
		add_figures(report);
	}
	free(study);
	return status;
}

const AbutExperiment abut_experiment_box_moves = {"box-moves", "box_moves",
                                                  "A box moved right and up by planned forces", execute};
