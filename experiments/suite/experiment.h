/* The form of an experiment: one function that reads its spec, measures, and fills a report. */
#ifndef EXPERIMENTS_SUITE_EXPERIMENT_H
#define EXPERIMENTS_SUITE_EXPERIMENT_H

#include "experiments/report/report.h"

/* The request for one run of an experiment. */
typedef struct AbutExperimentRun {
	const char *source; /* the experiment's folder */
	const char *spec;   /* its settings */
	const char *out;    /* where results go; it exists */
	bool quick;
	bool resume;                    /* continue from the results of an interrupted run in `out` */
	int threads;                    /* for experiments made of many runs; >= 1 */
	const unsigned long long *seed; /* the first seed; NULL: the one of the spec */
	/* Called from time to time with the fraction done, 0 to 1; may be NULL. */
	void (*progress)(void *context, double share);
	void *context;
} AbutExperimentRun;

/* Reports the fraction done to whoever asked for the run. */
static inline void abut_experiment_progress(const AbutExperimentRun *run, double share)
{
	if (run->progress) {
		run->progress(run->context, share);
	}
}

typedef AbutStatus AbutExperimentFunction(const AbutExperimentRun *run, AbutReport *report, AbutError *error);

#endif
