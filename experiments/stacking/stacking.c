/* Measures stacks at rest: two squares in the plane as published (the single-level paper, figure 10), towers in space,
 * and a house of cards. Any motion is an error, measured by the mean momentum. */
#include <math.h>

#include "experiments/suite/experiment.h"
#include "experiments/suite/parts.h"
#include "experiments/sweep/grid.h"
#include "io/run/run.h"

/* --- measures --- */

static double planar_linear(const AbutGridCell *cell)
{
	return 0.5 * (cell->momentum[0] + cell->momentum[2]);
}

static double planar_angular(const AbutGridCell *cell)
{
	return cell->spin[1];
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
    {"linear", "linear momentum, kg m/s", planar_linear, ABUT_PUBLISHED_LINEAR, abut_shade_decades, 10.0, 3},
    {"angular", "angular momentum, kg m^2/s", planar_angular, ABUT_PUBLISHED_ANGULAR, abut_shade_decades, 10.0, 3},
};
static const AbutMeasure tower_measure = {
    "momentum", "linear momentum, kg m/s", linear, ABUT_NOT_PUBLISHED, abut_shade_decades, 10.0, 3};

static const AbutMeasure house_measure = {
    "standing", "time that the house stands, s", standing, ABUT_NOT_PUBLISHED, abut_shade_shortfall, 0.0, 3};

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
		abut_report_result(report, "planar %s: %s momentum at most %.3g times the published one", name,
		                   measure->name, worst);
	} else if (unsolved > 0) {
		abut_report_target(
		    report, false,
		    "planar %s: %s momentum at most 3 times the published one in every cell, %d cells unsolved", name,
		    measure->name, unsolved);
	} else {
		abut_report_target(
		    report, worst <= 3.0 && abut_panels_sum(panels, panel).refused == 0,
		    "planar %s: %s momentum at most %.2f times the published one in every cell, at most 3 allowed",
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

/* --- house of cards --- */

/* Sets the scale of the time that a house stands to the duration of its runs, s. */
static AbutStatus scale_by_duration(const AbutGridRuns *grid, AbutMeasure *measure, AbutError *error)
{
	AbutSweepPoint point;
	AbutScene *scene = NULL;
	AbutStatus status = abut_sweep_point_of_run(grid->sweep, 0, &point, error);
	if (status == ABUT_OK) {
		status = abut_sweep_point_scene(&point, &scene, error);
		abut_sweep_point_free(&point);
	}
	if (status == ABUT_OK) {
		const AbutSceneDef *def = abut_scene_def(scene);
		measure->scale = (double)abut_run_steps(def) * def->timestep;
	}
	abut_scene_destroy(scene);
	return status;
}

static const AbutPart parts[] = {
    {.key = "planar",
     .weight = 1.0,
     .setting = "planar",
     .summed = "bodies.lower.position",
     .name = "planar",
     .title = "The planar stack",
     .cells = "planar_cells",
     .numbers = "planar_grid",
     .caption = "The planar stack, here and as published: mean momentum, linear (kg m/s) and angular (kg m^2/s). It "
                "should be zero.",
     .measures = planar_measures,
     .n_measures = N_PLANAR,
     .published = true,
     .at_rest = true,
     .judge = judge_planar},
    {.key = "space",
     .weight = 2.0,
     .setting = "towers",
     .name = "towers",
     .title = "Towers in space",
     .cells = "tower_cells",
     .numbers = "towers_grid",
     .caption = "Towers of boxes with random offsets and yaw: mean linear momentum (kg m/s).",
     .measures = &tower_measure,
     .at_rest = true},
    {.key = "house",
     .weight = 2.0,
     .setting = "house of cards",
     .name = "house",
     .title = "The house of cards",
     .cells = "house_cells",
     .numbers = "house_grid",
     .caption = "House of cards, pushed a little: mean time that it stands (s).",
     .measures = &house_measure,
     .at_rest = true,
     .complete = scale_by_duration},
};

static AbutStatus execute(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	return abut_parts_run(run, "stacking", sizeof parts / sizeof *parts, parts, report, error);
}

const AbutExperiment abut_experiment_stacking = {"stacking", "stacking",
                                                 "Stacks at rest: momentum, towers, a house of cards", execute};
