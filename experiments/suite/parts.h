/* Experiments that are a few sweeps over rate and kappa. Each part names a sweep in the spec:
 *
 *     { "experiment": NAME, PART: "sweep.json", ... }
 */
#ifndef EXPERIMENTS_SUITE_PARTS_H
#define EXPERIMENTS_SUITE_PARTS_H

#include "experiments/suite/panels.h"

/* One sweep and how it is shown: a figure, a summary, and its cells as numbers. */
typedef struct AbutPart {
	const char *key;             /* in the spec; the folder of its runs */
	double weight;               /* its share of the time, relative to the other parts */
	const char *setting;         /* its name among the settings */
	const char *summed;          /* the axis that is summed over; NULL: none */
	const char *name, *title;    /* of the summary */
	const char *cells, *numbers; /* names of figure and cells */
	const char *caption;         /* of the figure */
	const AbutMeasure *measures; /* (n_measures) of the figure */
	int n_measures;
	bool published; /* in the setting of the paper: shown with its figures, and one table for each measure */
	bool at_rest;   /* the summary shows how far bodies went and how long they stood */
	void (*judge)(const AbutPanels *panels, AbutReport *report); /* NULL: no targets */
	/* Completes a copy of the first measure; NULL: nothing to complete. */
	AbutStatus (*complete)(const AbutGridRuns *grid, AbutMeasure *measure, AbutError *error);
} AbutPart;

/* Runs the parts that the spec names, at least one. */
AbutStatus abut_parts_run(const AbutExperimentRun *run, const char *experiment, int n, const AbutPart *parts,
                          AbutReport *report, AbutError *error);

#endif
