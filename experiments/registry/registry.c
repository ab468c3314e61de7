/* Lists the experiments, runs one of them and writes its report. */
#include "experiments/registry/registry.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "experiments/report/write.h"
#include "experiments/suite/spec.h"
#include "io/text/file_text.h"
#include "io/text/folder.h"

enum { PATH_SIZE = 4096, MOST_README = 1 << 20 };

const AbutExperiment *const abut_experiments[] = {&abut_experiment_face_to_face,
                                                  &abut_experiment_stacking,
                                                  &abut_experiment_point_jump,
                                                  &abut_experiment_contact_frames,
                                                  &abut_experiment_timing,
                                                  &abut_experiment_peg_in_hole,
                                                  &abut_experiment_mug,
                                                  &abut_experiment_convex_bundles,
                                                  &abut_experiment_piles,
                                                  &abut_experiment_box_moves,
                                                  &abut_experiment_grasp,
                                                  &abut_experiment_hopper,
                                                  &abut_experiment_quadruped,
                                                  &abut_experiment_swing_up,
                                                  &abut_experiment_smoothing,
                                                  &abut_experiment_identification,
                                                  &abut_experiment_shape_optimisation,
                                                  &abut_experiment_formulations,
                                                  &abut_experiment_mechanisms,
                                                  &abut_experiment_robots};
const int abut_experiment_count = sizeof abut_experiments / sizeof *abut_experiments;

const AbutExperiment *abut_experiment_find(const char *name)
{
	for (int i = 0; i < abut_experiment_count; i++) {
		if (strcmp(abut_experiments[i]->name, name) == 0) {
			return abut_experiments[i];
		}
	}
	return NULL;
}

const char *abut_experiment_meant(const char *word)
{
	static const struct {
		const char *word, *experiments;
	} table[] = {
	    {"ilqr", "box-moves', 'grasp', 'hopper', 'quadruped' or 'swing-up"},
	    {"push", "box-moves"},
	    {"throw", "box-moves"},
	    {"planning", "box-moves', 'grasp', 'hopper', 'quadruped' or 'swing-up"},
	    {"hop", "hopper"},
	    {"a1", "quadruped"},
	    {"trot", "quadruped"},
	    {"cartpole", "swing-up"},
	    {"cart-pole", "swing-up"},
	    {"pendulum", "swing-up"},
	    {"gradient", "smoothing"},
	    {"derivatives", "smoothing"},
	    {"cam", "shape-optimisation"},
	    {"shape-optimization", "shape-optimisation"},
	    {"toss", "identification"},
	    {"methods", "formulations"},
	    {"comparison", "formulations"},
	    {"joints", "mechanisms"},
	    {"atlas", "robots"},
	    {"ant", "robots"},
	    {"humanoid", "robots"},
	    {"robot", "robots"},
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		if (strcmp(table[i].word, word) == 0) {
			return table[i].experiments;
		}
	}
	return NULL;
}

/* Begins the report with name, command and README. */
static AbutStatus begin(const AbutExperiment *experiment, const AbutExperimentRun *run, AbutReport *report,
                        AbutError *error)
{
	char readme[PATH_SIZE + 16];
	size_t length = 0;
	abut_report_init(report, experiment->name, experiment->title, run->quick, run->seed ? *run->seed : 0);
	report->command = strdup(run->command);
	report->failed = report->failed || !report->command;
	snprintf(readme, sizeof readme, "%s/README.md", run->source);
	return abut_file_read(readme, "experiment's README", MOST_README, &report->about, &length, error);
}

static AbutStatus run_into(const AbutExperiment *experiment, const AbutExperimentRun *asked, AbutReport *report,
                           bool *undrawn, AbutError *error)
{
	const char *folder = asked->source ? asked->source : ABUT_EXPERIMENTS_FOLDER;
	char source[PATH_SIZE], spec[PATH_SIZE + 16], style[PATH_SIZE];
	AbutExperimentRun run = *asked;
	snprintf(source, sizeof source, "%s/%s", folder, experiment->folder);
	snprintf(spec, sizeof spec, "%s/%s", source, run.quick ? "quick.json" : "spec.json");
	snprintf(style, sizeof style, "%s/report", folder);
	run.source = source;
	run.spec = run.spec ? run.spec : spec;
	ABUT_TRY(begin(experiment, &run, report, error));
	ABUT_TRY(experiment->run(&run, report, error));
	return abut_report_write(report, source, style, run.out, undrawn, error);
}

AbutStatus abut_experiment_run(const AbutExperiment *experiment, const AbutExperimentRun *asked, AbutReport *report,
                               bool *undrawn, AbutError *error)
{
	AbutFolder made = {NULL, 0};
	*report = (AbutReport){.name = NULL};
	*undrawn = false;
	AbutStatus status = abut_folder_make(&made, asked->out, "output", error);
	ABUT_THEN(status, run_into(experiment, asked, report, undrawn, error));
	if (status == ABUT_OK) {
		abut_folder_keep(&made);
	} else {
		abut_report_free(report);
	}
	abut_folder_drop(&made);
	return status;
}
