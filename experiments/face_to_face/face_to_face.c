/* Drops onto a floor, over rate and kappa: in the plane as published (the single-level paper, figure 9), and in space.
 */
#include "experiments/face_to_face/face_to_face.h"

#include <math.h>
#include <stdio.h>

#include "experiments/suite/panels.h"
#include "experiments/suite/panels_draw.h"
#include "experiments/suite/panels_tables.h"
#include "experiments/suite/spec.h"
#include "experiments/sweep/load.h"

enum { PLANAR, SPACE, ONE_KAPPA, N_PARTS };

typedef struct Parts {
	AbutSpec spec;              /* holds the names */
	const char *files[N_PARTS]; /* sweeps; NULL: not in this run */
} Parts;

static const AbutKeySet keys = {
    "face-to-face",
    (const char *const[]){"experiment", "planar", "space", "one_kappa", NULL},
    (const char *const[]){NULL},
};

/* --- measures --- */

static double failed_here(const AbutGridCell *cell)
{
	return abut_grid_failed(cell);
}

static double failed_published(const AbutPublished *published)
{
	return published->failed;
}

/* The published count has the last check as an iteration. */
static double iterations_here(const AbutGridCell *cell)
{
	return cell->iterations + 1.0;
}

static double iterations_published(const AbutPublished *published)
{
	return published->iterations;
}

static double violation_here(const AbutGridCell *cell)
{
	return cell->violation;
}

static double violation_published(const AbutPublished *published)
{
	return published->violation;
}

static const AbutMeasure measures[] = {
    {"failed", "share of the runs with a failed step", failed_here, failed_published, abut_shade_share, 1.0, 2},
    {"iterations", "iterations a step, the last check counted", iterations_here, iterations_published, abut_shade_share,
     30.0, 3},
    {"violation", "violation, the largest of a run, mean", violation_here, violation_published, abut_shade_decades, 6.0,
     2},
};
enum { N_MEASURES = sizeof measures / sizeof *measures, FAILED = 0, ITERATIONS = 1 };

/* --- planar --- */

/* "F of N runs failed" of those that were taken, and how many were refused. */
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
		abut_report_target(report, false,
		                   "planar %s: mean iterations within 15 %% of the published in every cell, %d cells "
		                   "unsolved",
		                   method, unsolved);
	} else {
		abut_report_target(report, worst <= 1.15,
		                   "planar %s: mean iterations within %.1f %% of the published in every cell, at "
		                   "most 15 %%",
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

static AbutStatus do_planar(const AbutExperimentRun *run, const char *file, AbutGridShare share, AbutReport *report,
                            AbutError *error)
{
	AbutGridRuns grid;
	AbutPanels panels = {.count = 0};
	AbutStatus status = abut_grid_run(run, file, "planar", share, &grid, error);
	if (status == ABUT_OK) {
		status = abut_panels_open(&grid, NULL, &panels, error);
	}
	if (status == ABUT_OK) {
		report->seed = abut_sweep_first_seed(grid.sweep);
		abut_report_setting(report, "planar", "%ld runs; setting of the paper; %s",
		                    abut_sweep_run_count(grid.sweep), file);
		judge_planar(&panels, report);
		abut_panels_draw_beside(&panels, N_MEASURES, measures, "planar_cells",
		                        "The planar drop, here and as published: share of the runs with a failed step, "
		                        "mean iterations of a step, mean of the largest violation of a run.",
		                        report);
		abut_panels_summary(&panels, "planar", "The planar drop", false, report);
		abut_panels_cells(&panels, "planar_grid", report);
		for (int m = 0; m < N_MEASURES; m++) {
			for (int panel = 0; panel < panels.count; panel++) {
				abut_panels_matrix(&panels, panel, &measures[m], report);
			}
		}
	}
	abut_panels_close(&panels);
	abut_grid_close(&grid);
	return status;
}

/* --- space --- */

/* A sweep in space, and how it is shown. */
typedef struct Space {
	const char *name, *setting, *title, *figure, *numbers, *caption;
	bool judged;
} Space;

static const Space spaces[N_PARTS] = {
    [SPACE] = {"space", "in space", "Drops in space", "space_cells", "space_grid",
               "Drops in space: share of the runs with a failed step.", true},
    [ONE_KAPPA] = {"one_kappa", "in space, one kappa", "Drops in space, one kappa on both levels", "one_kappa_cells",
                   "one_kappa_grid",
                   "Drops in space, the collision problems at the kappa of the step: share of the runs with a failed "
                   "step.",
                   false},
};

/* What the method does with all its help is judged; where the sweep has an axis "tries", that is its value "best". */
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

static AbutStatus do_space(const AbutExperimentRun *run, const Space *space, const char *file, AbutGridShare share,
                           AbutReport *report, AbutError *error)
{
	AbutGridRuns grid;
	AbutPanels panels = {.count = 0};
	AbutStatus status = abut_grid_run(run, file, space->name, share, &grid, error);
	if (status == ABUT_OK) {
		status = abut_panels_open(&grid, NULL, &panels, error);
	}
	if (status == ABUT_OK) {
		report->seed = abut_sweep_first_seed(grid.sweep);
		abut_report_setting(report, space->setting, "%ld runs, seeds from %llu; %s",
		                    abut_sweep_run_count(grid.sweep), abut_sweep_first_seed(grid.sweep), file);
		if (space->judged) {
			judge_space(&panels, report);
		}
		abut_panels_draw(&panels, &measures[FAILED], space->figure, space->caption, report);
		abut_panels_summary(&panels, space->name, space->title, false, report);
		abut_panels_cells(&panels, space->numbers, report);
	}
	abut_panels_close(&panels);
	abut_grid_close(&grid);
	return status;
}

/* How long the parts take, about. */
static const double weights[N_PARTS] = {[PLANAR] = 1.0, [SPACE] = 8.0, [ONE_KAPPA] = 2.0};

AbutStatus abut_experiment_face_to_face(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	Parts parts;
	double all = 0.0, done = 0.0;
	AbutStatus status = abut_spec_open_parts(&parts.spec, run->spec, &keys, parts.files, error);
	for (int i = 0; status == ABUT_OK && i < N_PARTS; i++) {
		all += parts.files[i] ? weights[i] : 0.0;
	}
	for (int i = 0; status == ABUT_OK && i < N_PARTS; i++) {
		if (parts.files[i]) {
			const AbutGridShare share = {done / all, (done + weights[i]) / all};
			status = i == PLANAR ? do_planar(run, parts.files[i], share, report, error)
			                     : do_space(run, &spaces[i], parts.files[i], share, report, error);
			done += weights[i];
		}
	}
	abut_spec_close(&parts.spec);
	return status;
}
