/* Defines an experiment: a function that reads its spec, measures, and fills a report. */
#pragma once

#include "experiments/report/report.h"

/* One run of an experiment, as requested. */
typedef struct AbutExperimentRun {
	const char *source; /* folder of the experiment */
	const char *spec;   /* file of its settings */
	const char *out;    /* existing folder for results */
	bool quick;
	bool resume;                    /* continue from the results of an interrupted run in `out` */
	int threads;                    /* for experiments made of many runs; >= 1 */
	const unsigned long long *seed; /* the first seed; NULL: use the one of the spec */
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

typedef AbutStatus AbutExperimentFunction(const AbutExperimentRun *run, AbutReport *report, AbutError *error);
