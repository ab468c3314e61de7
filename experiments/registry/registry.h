/* The table of named experiments, and one run of any of them. Each experiment is a folder of experiments/: a README.md
 * (question, method, how to read the result), its settings (spec.json, and quick.json for a run within a minute), the
 * scripts of its figures, and its C code. */
#pragma once

#include "experiments/suite/experiment.h"

extern const int abut_experiment_count;
extern const AbutExperiment *const abut_experiments[];        /* (abut_experiment_count) */
const AbutExperiment *abut_experiment_find(const char *name); /* NULL: no experiment has this name */
/* Returns the names of the experiments about a topic such as "ilqr", with "' or '" between two; NULL: unknown topic. */
const char *abut_experiment_meant(const char *word);

/* Runs the experiment and writes its files into `out`. On ABUT_OK the caller frees `report`, and `*undrawn` is true if
 * figures are missing because gnuplot is not installed. */
AbutStatus abut_experiment_run(const AbutExperiment *experiment, const AbutExperimentRun *asked, AbutReport *report,
                               bool *undrawn, AbutError *error);
