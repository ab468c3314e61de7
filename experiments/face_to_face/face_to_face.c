/* Drops onto a floor, over rate and kappa: in the plane as published (the single-level paper, figure 9), and in space.
 */
#include <math.h>
#include <string.h>

#include "experiments/suite/panels.h"
#include "experiments/suite/spec.h"
#include "experiments/suite/suite.h"

typedef struct Parts {
	AbutSpec spec;              /* holds the names */
	const char *planar, *space; /* sweeps; NULL: not in this run */
} Parts;

static const AbutKeySet keys = {
    "face-to-face",
    (const char *const[]){"experiment", "planar", "space", NULL},
    (const char *const[]){NULL},
};

static AbutStatus read_parts(const char *path, Parts *out, AbutError *error)
{
	*out = (Parts){.planar = NULL};
	const AbutStatus status = abut_spec_open(&out->spec, path, &keys, error);
	if (status != ABUT_OK) {
		return status;
	}
	out->planar = abut_spec_name(&out->spec.root, "planar");
	out->space = abut_spec_name(&out->spec.root, "space");
	return abut_spec_status(&out->spec);
}

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

static double shade_share(double value)
{
	return value;
}

static double shade_iterations(double value)
{
	return value / 30.0;
}

/* From 1e-6 to 1. */
static double shade_violation(double value)
{
	return value > 0.0 ? 1.0 + log10(value) / 6.0 : 0.0;
}

static const AbutMeasure measures[] = {
    {"failed", "share of the runs with a failed step", failed_here, failed_published, shade_share, 2},
    {"iterations", "iterations a step, the last check counted", iterations_here, iterations_published, shade_iterations,
     3},
    {"violation", "violation, the largest of a run, mean", violation_here, violation_published, shade_violation, 2},
};
enum { N_MEASURES = sizeof measures / sizeof *measures, FAILED = 0, ITERATIONS = 1 };

/* --- planar --- */

static void judge_planar(const AbutPanels *panels, AbutReport *report)
{
	for (int panel = 0; panel < panels->count; panel++) {
		long failed = 0, runs = 0;
		for (int i = 0; i < panels->rates * panels->kappas; i++) {
			const AbutGridCell *cell = &panels->cells.cells[panel * panels->rates * panels->kappas + i];
			failed += cell->failed;
			runs += cell->runs;
		}
		const double worst = abut_panels_worst(panels, panel, &measures[ITERATIONS], true);
		const char *method = abut_method_name(abut_panels_method(panels, panel));
		if (abut_panels_method(panels, panel) == ABUT_METHOD_SINGLE_LEVEL) {
			abut_report_target(report, failed * 900 <= runs,
			                   "planar %s: %ld of %ld runs failed, at most 4 in 3,600", method, failed,
			                   runs);
			abut_report_target(
			    report, worst <= 1.15,
			    "planar %s: mean iterations within %.1f %% of the published in every cell, at "
			    "most 15 %%",
			    method, 100.0 * (worst - 1.0));
		} else {
			abut_report_result(report, "planar %s: %ld of %ld runs failed", method, failed, runs);
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

/* What the method does with all its help is judged; where the sweep has an axis "tries", that is its value "best". */
static void judge_space(const AbutPanels *panels, AbutReport *report)
{
	for (int method = 0; method < ABUT_METHOD_COUNT; method++) {
		long failed = 0, taken = 0;
		for (int panel = 0; panel < panels->count; panel++) {
			if ((int)abut_panels_method(panels, panel) != method ||
			    !abut_panels_has(panels, panel, "tries", "best")) {
				continue;
			}
			for (int i = 0; i < panels->rates * panels->kappas; i++) {
				const AbutGridCell *cell =
				    &panels->cells.cells[panel * panels->rates * panels->kappas + i];
				failed += cell->failed;
				taken += cell->runs - cell->refused;
			}
		}
		const double percent = 100.0 * (double)failed / (double)taken;
		if (taken > 0 && method == ABUT_METHOD_SINGLE_LEVEL) {
			abut_report_target(report, percent <= 0.1,
			                   "in space, %s: %ld of %ld runs failed, %.3g %%, at most 0.1 %%",
			                   abut_method_name((AbutMethod)method), failed, taken, percent);
		} else if (taken > 0) {
			abut_report_result(report, "in space, %s: %ld of %ld runs failed, %.3g %%",
			                   abut_method_name((AbutMethod)method), failed, taken, percent);
		}
	}
}

static AbutStatus do_space(const AbutExperimentRun *run, const char *file, AbutGridShare share, AbutReport *report,
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
		abut_report_setting(report, "in space", "%ld runs, seeds from %llu; %s",
		                    abut_sweep_run_count(grid.sweep), abut_sweep_first_seed(grid.sweep), file);
		judge_space(&panels, report);
		abut_panels_draw(&panels, &measures[FAILED], "space_cells",
		                 "Drops in space: share of the runs with a failed step.", report);
		abut_panels_summary(&panels, "space", "Drops in space", false, report);
	}
	abut_panels_close(&panels);
	abut_grid_close(&grid);
	return status;
}

AbutStatus abut_experiment_face_to_face(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	Parts parts;
	AbutStatus status = read_parts(run->spec, &parts, error);
	if (status == ABUT_OK && parts.planar) {
		const AbutGridShare share = {0.0, parts.space ? 0.2 : 1.0};
		status = do_planar(run, parts.planar, share, report, error);
	}
	if (status == ABUT_OK && parts.space) {
		const AbutGridShare share = {parts.planar ? 0.2 : 0.0, 1.0};
		status = do_space(run, parts.space, share, report, error);
	}
	abut_spec_close(&parts.spec);
	return status;
}
