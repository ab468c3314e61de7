/* Runs experiments that consist of a few sweeps over rate and kappa. Each part names a sweep in the spec:
 *
 *      { "experiment": NAME, PART: "sweep.json", ... } */
#pragma once

#include "experiments/suite/panels.h"

/* One sweep and how it is shown: a figure, a summary, and a table of its cells. */
typedef struct AbutPart {
	const char *key;             /* key in the spec; folder of its runs */
	double weight;               /* duration relative to the other parts */
	const char *setting;         /* its name in the settings of the report */
	const char *summed;          /* axis that is summed over; NULL: none */
	const char *name, *title;    /* of the summary */
	const char *cells, *numbers; /* names of figure and cells */
	const char *caption;         /* of the figure */
	const AbutMeasure *measures; /* (n_measures) of the figure */
	int n_measures;
	bool published; /* uses the settings of the paper: shown with its figures, and with a table for each measure */
	bool at_rest;   /* the summary shows how far bodies moved and how long they stood */
	void (*judge)(const AbutPanels *panels, AbutReport *report); /* adds targets; NULL: no targets */
	/* Completes a copy of the first measure before it is shown; NULL: nothing to complete. */
	AbutStatus (*complete)(const AbutGridRuns *grid, AbutMeasure *measure, AbutError *error);
} AbutPart;

/* Runs the parts that the spec names. The spec must name at least one. */
AbutStatus abut_parts_run(const AbutExperimentRun *run, const char *experiment, int n, const AbutPart *parts,
                          AbutReport *report, AbutError *error);
