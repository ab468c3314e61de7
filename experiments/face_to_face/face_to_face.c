/* Drops bodies onto a floor, over rate and kappa: in the plane as published (the single-level paper, figure 9), and in
 * space. */
#include <math.h>
#include <stdio.h>

#include "experiments/suite/experiment.h"
#include "experiments/suite/parts.h"

/* --- measures --- */

static double failed_here(const AbutGridCell *cell)
{
	return abut_grid_failed(cell);
}

/* Returns the iterations as published: the last check counts as one. */
static double iterations_here(const AbutGridCell *cell)
{
	return cell->iterations + 1.0;
}

static double violation_here(const AbutGridCell *cell)
{
	return cell->violation;
}

static const AbutMeasure measures[] = {
    {"failed", "share of the runs with a failed step", failed_here, ABUT_PUBLISHED_FAILED, abut_shade_share, 1.0, 2},
    {"iterations", "iterations a step, including the last check", iterations_here, ABUT_PUBLISHED_ITERATIONS,
     abut_shade_share, 30.0, 3},
    {"violation", "mean of the largest violation of a run", violation_here, ABUT_PUBLISHED_VIOLATION,
     abut_shade_decades, 6.0, 2},
};
enum { N_MEASURES = sizeof measures / sizeof *measures, FAILED = 0, ITERATIONS = 1 };

/* --- planar --- */

/* Writes "F of N runs failed" for the supported runs, and how many were refused. */
static const char *tell_failed(const AbutGridCell *sum, char out[96])
{
	const long taken = sum->runs - sum->refused;
	if (sum->refused == 0) {
		snprintf(out, 96, "%ld of %ld runs failed", sum->failed, taken);
	} else if (taken == 0) {
		snprintf(out, 96, "all %ld runs were refused", sum->runs);
	} else {
		snprintf(out, 96, "%ld of %ld runs failed, %ld more were refused", sum->failed, taken, sum->refused);
	}
	return out;
}

static void judge_iterations(const AbutPanels *panels, int panel, const char *method, AbutReport *report)
{
	int unsolved = 0;
	const double worst = abut_panels_worst(panels, panel, &measures[ITERATIONS], true, &unsolved);
	if (isnan(worst)) {
		abut_report_result(report, "planar %s: nothing was published for these rates and kappa", method);
	} else if (unsolved > 0) {
		abut_report_target(
		    report, false,
		    "planar %s: mean iterations within 15 %% of the published ones in every cell, %d cells unsolved",
		    method, unsolved);
	} else {
		abut_report_target(report, worst <= 1.15,
		                   "planar %s: mean iterations within %.1f %% of the published ones in every cell, at "
		                   "most 15 %% allowed",
		                   method, 100.0 * (worst - 1.0));
	}
}

static void judge_planar(const AbutPanels *panels, AbutReport *report)
{
	for (int panel = 0; panel < panels->count; panel++) {
		const AbutGridCell sum = abut_panels_sum(panels, panel);
		const char *method = abut_method_name(abut_panels_method(panels, panel));
		char told[96];
		tell_failed(&sum, told);
		if (abut_panels_method(panels, panel) == ABUT_METHOD_SINGLE_LEVEL) {
			abut_report_target(report, sum.refused == 0 && sum.failed * 900 <= sum.runs,
			                   "planar %s: %s, at most 4 in 3,600", method, told);
			judge_iterations(panels, panel, method, report);
		} else {
			abut_report_result(report, "planar %s: %s", method, told);
		}
	}
}

/* --- space --- */

/* Judges each method at its best settings: the value "best" of the axis "tries", where the sweep has one. */
static void judge_space(const AbutPanels *panels, AbutReport *report)
{
	for (int method = 0; method < ABUT_METHOD_COUNT; method++) {
		AbutGridCell all = {.runs = 0};
		char told[96];
		for (int panel = 0; panel < panels->count; panel++) {
			if ((int)abut_panels_method(panels, panel) == method &&
			    abut_panels_has(panels, panel, "tries", "best")) {
				const AbutGridCell sum = abut_panels_sum(panels, panel);
				all.runs += sum.runs;
				all.refused += sum.refused;
				all.failed += sum.failed;
			}
		}
		const char *name = abut_method_name((AbutMethod)method);
		const double percent = 100.0 * abut_grid_failed(&all);
		tell_failed(&all, told);
		if (all.runs > 0 && method == ABUT_METHOD_SINGLE_LEVEL && all.refused == all.runs) {
			abut_report_target(report, false, "in space, %s: %s, at most 0.1 %%", name, told);
		} else if (all.runs > 0 && method == ABUT_METHOD_SINGLE_LEVEL) {
			abut_report_target(report, all.refused == 0 && percent <= 0.1,
			                   "in space, %s: %s, %.3g %%, at most 0.1 %%", name, told, percent);
		} else if (all.runs > all.refused) {
			abut_report_result(report, "in space, %s: %s, %.3g %%", name, told, percent);
		} else if (all.runs > 0) {
			abut_report_result(report, "in space, %s: %s", name, told);
		}
	}
}

static const AbutPart parts[] = {
    {.key = "planar",
     .weight = 1.0,
     .setting = "planar",
     .name = "planar",
     .title = "The planar drop",
     .cells = "planar_cells",
     .numbers = "planar_grid",
     .caption = "The planar drop, here and as published: share of the runs with a failed step, mean iterations of a "
                "step, mean of the largest violation of a run.",
     .measures = measures,
     .n_measures = N_MEASURES,
     .published = true,
     .judge = judge_planar},
    {.key = "space",
     .weight = 8.0,
     .setting = "in space",
     .name = "space",
     .title = "Drops in space",
     .cells = "space_cells",
     .numbers = "space_grid",
     .caption = "Drops in space: share of the runs with a failed step.",
     .measures = &measures[FAILED],
     .judge = judge_space},
    {.key = "one_kappa",
     .weight = 2.0,
     .setting = "in space, one kappa",
     .name = "one_kappa",
     .title = "Drops in space, one kappa on both levels",
     .cells = "one_kappa_cells",
     .numbers = "one_kappa_grid",
     .caption =
         "Drops in space, the collision problems at the kappa of the step: share of the runs with a failed step.",
     .measures = &measures[FAILED]},
};

static AbutStatus execute(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	return abut_parts_run(run, "face-to-face", sizeof parts / sizeof *parts, parts, report, error);
}

const AbutExperiment abut_experiment_face_to_face = {"face-to-face", "face_to_face",
                                                     "Drops that end face to face, over rate and kappa", execute};
