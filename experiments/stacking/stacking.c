/* Stacks at rest: two squares in the plane as published (the single-level paper, figure 10), towers in space, and a
 * house of cards. What moves is error: the mean momentum tells how much. */
#include "experiments/stacking/stacking.h"

#include <math.h>

#include "experiments/suite/panels.h"
#include "experiments/suite/panels_draw.h"
#include "experiments/suite/panels_tables.h"
#include "experiments/suite/spec.h"
#include "experiments/sweep/grid.h"
#include "experiments/sweep/load.h"
#include "io/run/run.h"

enum { PLANAR, SPACE, HOUSE, N_PARTS };

typedef struct Parts {
	AbutSpec spec;              /* holds the names */
	const char *files[N_PARTS]; /* sweeps; NULL: not in this run */
} Parts;

static const AbutKeySet keys = {
    "stacking",
    (const char *const[]){"experiment", "planar", "space", "house", NULL},
    (const char *const[]){NULL},
};

/* --- measures --- */

static double planar_linear(const AbutGridCell *cell)
{
	return 0.5 * (cell->momentum[0] + cell->momentum[2]);
}

static double planar_angular(const AbutGridCell *cell)
{
	return cell->spin[1];
}

static double published_linear(const AbutPublished *published)
{
	return published->linear;
}

static double published_angular(const AbutPublished *published)
{
	return published->angular;
}

static double linear(const AbutGridCell *cell)
{
	return (cell->momentum[0] + cell->momentum[1] + cell->momentum[2]) / 3.0;
}

static double standing(const AbutGridCell *cell)
{
	return cell->stood;
}

enum { LINEAR, ANGULAR, N_PLANAR };

/* Momentum is shaded from 1e-10 to 1. */
static const AbutMeasure planar_measures[N_PLANAR] = {
    {"linear", "linear momentum, kg m/s", planar_linear, published_linear, abut_shade_decades, 10.0, 3},
    {"angular", "angular momentum, kg m^2/s", planar_angular, published_angular, abut_shade_decades, 10.0, 3},
};
static const AbutMeasure tower_measure = {"momentum", "linear momentum, kg m/s", linear, NULL, abut_shade_decades, 10.0,
                                          3};

/* --- planar --- */

static void judge_measure(const AbutPanels *panels, int panel, const AbutMeasure *measure, AbutReport *report)
{
	int unsolved = 0;
	const double worst = abut_panels_worst(panels, panel, measure, false, &unsolved);
	const AbutMethod method = abut_panels_method(panels, panel);
	const char *name = abut_method_name(method);
	if (isnan(worst)) {
		abut_report_result(report, "planar %s: no %s momentum was published for these cells", name,
		                   measure->name);
	} else if (method != ABUT_METHOD_SINGLE_LEVEL && unsolved > 0) {
		abut_report_result(report, "planar %s: %s momentum: %d cells unsolved", name, measure->name, unsolved);
	} else if (method != ABUT_METHOD_SINGLE_LEVEL) {
		abut_report_result(report, "planar %s: %s momentum at most %.3g times the published", name,
		                   measure->name, worst);
	} else if (unsolved > 0) {
		abut_report_target(report, false,
		                   "planar %s: %s momentum at most 3 times the published in every cell, %d cells "
		                   "unsolved",
		                   name, measure->name, unsolved);
	} else {
		abut_report_target(report, worst <= 3.0 && abut_panels_sum(panels, panel).refused == 0,
		                   "planar %s: %s momentum at most %.2f times the published in every cell, at most 3",
		                   name, measure->name, worst);
	}
}

static void judge_planar(const AbutPanels *panels, AbutReport *report)
{
	for (int panel = 0; panel < panels->count; panel++) {
		for (int m = 0; m < N_PLANAR; m++) {
			judge_measure(panels, panel, &planar_measures[m], report);
		}
	}
}

static AbutStatus do_planar(const AbutExperimentRun *run, const char *file, AbutGridShare share, AbutReport *report,
                            AbutError *error)
{
	AbutGridRuns grid;
	AbutPanels panels = {.count = 0};
	AbutStatus status = abut_grid_run(run, file, "planar", share, &grid, error);
	if (status == ABUT_OK) {
		status = abut_panels_open(&grid, "bodies.lower.position", &panels, error);
	}
	if (status == ABUT_OK) {
		report->seed = abut_sweep_first_seed(grid.sweep);
		abut_report_setting(report, "planar", "%ld runs; setting of the paper; %s",
		                    abut_sweep_run_count(grid.sweep), file);
		judge_planar(&panels, report);
		abut_panels_draw_beside(&panels, N_PLANAR, planar_measures, "planar_cells",
		                        "The planar stack, here and as published: mean momentum, linear (kg m/s) and "
		                        "angular (kg m^2/s). It should be zero.",
		                        report);
		abut_panels_summary(&panels, "planar", "The planar stack", true, report);
		abut_panels_cells(&panels, "planar_grid", report);
		for (int m = 0; m < N_PLANAR; m++) {
			for (int panel = 0; panel < panels.count; panel++) {
				abut_panels_matrix(&panels, panel, &planar_measures[m], report);
			}
		}
	}
	abut_panels_close(&panels);
	abut_grid_close(&grid);
	return status;
}

/* --- space --- */

static AbutStatus do_towers(const AbutExperimentRun *run, const char *file, AbutGridShare share, AbutReport *report,
                            AbutError *error)
{
	AbutGridRuns grid;
	AbutPanels panels = {.count = 0};
	AbutStatus status = abut_grid_run(run, file, "space", share, &grid, error);
	if (status == ABUT_OK) {
		status = abut_panels_open(&grid, NULL, &panels, error);
	}
	if (status == ABUT_OK) {
		report->seed = abut_sweep_first_seed(grid.sweep);
		abut_report_setting(report, "towers", "%ld runs, seeds from %llu; %s", abut_sweep_run_count(grid.sweep),
		                    abut_sweep_first_seed(grid.sweep), file);
		abut_panels_draw(&panels, &tower_measure, "tower_cells",
		                 "Towers of boxes with random offsets and yaw: mean linear momentum (kg m/s).", report);
		abut_panels_summary(&panels, "towers", "Towers in space", true, report);
		abut_panels_cells(&panels, "towers_grid", report);
	}
	abut_panels_close(&panels);
	abut_grid_close(&grid);
	return status;
}

/* How long a house has to stand, s. */
static AbutStatus duration_of(const AbutSweep *sweep, double *out, AbutError *error)
{
	AbutSweepPoint point;
	AbutScene *scene = NULL;
	AbutStatus status = abut_sweep_point_of_run(sweep, 0, &point, error);
	if (status == ABUT_OK) {
		status = abut_sweep_point_scene(&point, &scene, error);
		abut_sweep_point_free(&point);
	}
	if (status == ABUT_OK) {
		const AbutSceneDef *def = abut_scene_def(scene);
		*out = (double)abut_run_steps(def) * def->timestep;
	}
	abut_scene_destroy(scene);
	return status;
}

static AbutStatus do_house(const AbutExperimentRun *run, const char *file, AbutGridShare share, AbutReport *report,
                           AbutError *error)
{
	AbutGridRuns grid;
	AbutPanels panels = {.count = 0};
	double duration = 0.0;
	AbutStatus status = abut_grid_run(run, file, "house", share, &grid, error);
	if (status == ABUT_OK) {
		status = abut_panels_open(&grid, NULL, &panels, error);
	}
	if (status == ABUT_OK) {
		status = duration_of(grid.sweep, &duration, error);
	}
	if (status == ABUT_OK) {
		const AbutMeasure measure = {
		    "standing", "time that the house stands, s", standing, NULL, abut_shade_shortfall, duration, 3};
		report->seed = abut_sweep_first_seed(grid.sweep);
		abut_report_setting(report, "house of cards", "%ld runs, seeds from %llu; %s",
		                    abut_sweep_run_count(grid.sweep), abut_sweep_first_seed(grid.sweep), file);
		abut_panels_draw(&panels, &measure, "house_cells",
		                 "House of cards, pushed a little: mean time that it stands (s).", report);
		abut_panels_summary(&panels, "house", "The house of cards", true, report);
		abut_panels_cells(&panels, "house_grid", report);
	}
	abut_panels_close(&panels);
	abut_grid_close(&grid);
	return status;
}

AbutStatus abut_experiment_stacking(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	Parts parts;
	AbutStatus status = abut_spec_open_parts(&parts.spec, run->spec, &keys, parts.files, error);
	if (status == ABUT_OK && parts.files[PLANAR]) {
		status = do_planar(run, parts.files[PLANAR], (AbutGridShare){0.0, 0.2}, report, error);
	}
	if (status == ABUT_OK && parts.files[SPACE]) {
		status = do_towers(run, parts.files[SPACE], (AbutGridShare){0.2, 0.6}, report, error);
	}
	if (status == ABUT_OK && parts.files[HOUSE]) {
		status = do_house(run, parts.files[HOUSE], (AbutGridShare){0.6, 1.0}, report, error);
	}
	abut_spec_close(&parts.spec);
	return status;
}
