/* Defines an experiment: a function that reads its spec, measures, and fills a report. */
#pragma once

#include "experiments/report/report.h"

/* One run of an experiment. */
typedef struct AbutExperimentRun {
	/* Folder of the experiment. In a request: experiments/ of a source tree; NULL: of this build. */
	const char *source;
	const char *spec; /* file of its settings; NULL in a request: the experiment's own */
	const char *out;  /* folder for results; made if needed */
	const char *data; /* folder of files that are not part of Abut, such as robots; NULL: none */
	const char *command;
	bool quick;
	bool resume;                    /* continue from the results of an interrupted run in `out` */
	int threads;                    /* for experiments made of many runs; >= 1 */
	const unsigned long long *seed; /* the first seed; NULL: use the one of the spec, or 0 */
	/* Called from time to time with the fraction done, 0 to 1; may be NULL. */
	void (*progress)(void *context, double share);
	void *context;
} AbutExperimentRun;

/* Reports the fraction done to the caller of the run. */
static inline void abut_experiment_progress(const AbutExperimentRun *run, double share)
{
	if (run->progress) {
		run->progress(run->context, share);
	}
}

typedef struct AbutExperiment {
	const char *name;
	const char *folder; /* in experiments/ */
	const char *title;
	AbutStatus (*run)(const AbutExperimentRun *run, AbutReport *report, AbutError *error);
} AbutExperiment;

/* Each is defined in the folder of its name. */
extern const AbutExperiment abut_experiment_face_to_face, abut_experiment_stacking, abut_experiment_point_jump,
    abut_experiment_contact_frames, abut_experiment_timing, abut_experiment_peg_in_hole, abut_experiment_mug,
    abut_experiment_convex_bundles, abut_experiment_piles, abut_experiment_box_moves, abut_experiment_grasp,
    abut_experiment_hopper, abut_experiment_quadruped, abut_experiment_swing_up, abut_experiment_smoothing,
    abut_experiment_identification, abut_experiment_shape_optimisation, abut_experiment_formulations,
    abut_experiment_mechanisms, abut_experiment_robots;
