/* Runs sweeps over rate and kappa and fills a report with them. */
#include "experiments/suite/parts.h"

#include "base/error.h"
#include "experiments/suite/panels_show.h"
#include "experiments/suite/spec.h"
#include "experiments/sweep/spec_parts.h"

enum { MOST_PARTS = 4 };

static void show(const AbutPart *part, const AbutPanels *panels, const AbutMeasure *measure, const char *file,
                 AbutReport *report)
{
	const AbutSweep *sweep = panels->grid->sweep;
	const unsigned long long seed = sweep->first_seed;
	report->seed = seed;
	if (part->published) {
		abut_report_setting(report, part->setting, "%ld runs; setting of the paper; %s", sweep->run_count,
		                    file);
	} else {
		abut_report_setting(report, part->setting, "%ld runs, seeds from %llu; %s", sweep->run_count, seed,
		                    file);
	}
	if (part->judge) {
		part->judge(panels, report);
	}
	if (part->published) {
		abut_panels_draw_beside(panels, part->n_measures, part->measures, part->cells, part->caption, report);
	} else {
		abut_panels_draw(panels, measure, part->cells, part->caption, report);
	}
	abut_panels_summary(panels, part->name, part->title, part->at_rest, report);
	abut_panels_cells(panels, part->numbers, report);
	for (int m = 0; part->published && m < part->n_measures; m++) {
		for (int panel = 0; panel < panels->count; panel++) {
			abut_panels_matrix(panels, panel, &part->measures[m], report);
		}
	}
}

static AbutStatus run_part(const AbutExperimentRun *run, const AbutPart *part, const char *file, AbutGridShare share,
                           AbutReport *report, AbutError *error)
{
	AbutGridRuns grid;
	AbutPanels panels = {.count = 0};
	AbutMeasure measure = part->measures[0];
	AbutStatus status = abut_grid_run(run, file, part->key, share, &grid, error);
	ABUT_THEN(status, abut_panels_open(&grid, part->summed, &panels, error));
	if (part->complete) {
		ABUT_THEN(status, part->complete(&grid, &measure, error));
	}
	if (status == ABUT_OK) {
		show(part, &panels, &measure, file, report);
	}
	abut_grid_cells_free(&panels.cells);
	abut_grid_close(&grid);
	return status;
}

AbutStatus abut_parts_run(const AbutExperimentRun *run, const char *experiment, int n, const AbutPart *parts,
                          AbutReport *report, AbutError *error)
{
	const char *names[MOST_PARTS + 2] = {"experiment"}, *files[MOST_PARTS];
	const AbutKeySet keys = {experiment, names};
	double all = 0.0, done = 0.0;
	AbutSpec spec;
	for (int i = 0; i < n; i++) {
		names[1 + i] = parts[i].key;
	}
	AbutStatus status = abut_spec_open(&spec, run->spec, &keys, error);
	ABUT_THEN(status, abut_spec_parts(&spec, n, names + 1, files));
	for (int i = 0; status == ABUT_OK && i < n; i++) {
		all += files[i] ? parts[i].weight : 0.0;
	}
	for (int i = 0; status == ABUT_OK && i < n; i++) {
		if (files[i]) {
			const AbutGridShare share = {done / all, (done + parts[i].weight) / all};
			status = run_part(run, &parts[i], files[i], share, report, error);
			done += parts[i].weight;
		}
	}
	abut_spec_close(&spec);
	return status;
}
