/* Named experiments. Each is a folder of experiments/: a README.md (question, method, how to read the result), its
 * settings as files (spec.json, and quick.json for a run within a minute), the scripts of its figures, its C code. */
#ifndef EXPERIMENTS_EXPERIMENT_H
#define EXPERIMENTS_EXPERIMENT_H

#include "experiments/report/report.h"

/* What a run is asked to do. */
typedef struct AbutExperimentRun {
	const char *source; /* the experiment's folder */
	const char *spec;   /* its settings */
	const char *out;    /* where results go; it exists */
	bool quick;
	bool resume;                    /* go on with what a killed run has left in `out` */
	int threads;                    /* of experiments made of many runs; >= 1 */
	const unsigned long long *seed; /* the first; NULL: the spec's */
	/* Called now and then with the share that is done, 0 to 1; may be NULL. */
	void (*progress)(void *context, double share);
	void *context;
} AbutExperimentRun;

typedef struct AbutExperiment {
	const char *name;
	const char *folder; /* in experiments/ */
	const char *title;
	AbutStatus (*run)(const AbutExperimentRun *run, AbutReport *report, AbutError *error);
} AbutExperiment;

int abut_experiment_count(void);
const AbutExperiment *abut_experiment(int index);
const AbutExperiment *abut_experiment_find(const char *name); /* NULL: there is none */
/* For a word of what experiments do, such as "ilqr": their names, with "' or '" between two; NULL: not known. */
const char *abut_experiment_meant(const char *word);

typedef struct AbutExperimentOptions {
	const char *folder; /* experiments/ of the source tree; NULL: where this was built from */
	const char *spec;   /* NULL: the experiment's own */
	const char *out;    /* made if needed */
	const char *command;
	bool quick, resume;
	int threads;
	const unsigned long long *seed; /* the first; NULL: the spec's, or 0 */
	void (*progress)(void *context, double share);
	void *context;
} AbutExperimentOptions;

/* Runs it and writes its files into `out`. On ABUT_OK `report` is filled, to be freed by the caller, and `*undrawn`
 * tells whether figures are missing because gnuplot is. */
AbutStatus abut_experiment_run(const AbutExperiment *experiment, const AbutExperimentOptions *options,
                               AbutReport *report, bool *undrawn, AbutError *error);

#endif
