/* Runs experiments that consist of a few scenes, each with several solver settings. The report has a row for each run,
 * pictures of the first run of each scene, and a verdict. The spec:
 *
 *      { "experiment": NAME, "settled": s, "rates": [Hz], "kappas": [...], "finishes": ["exact", "none"],
 *        "scenes": [ { "name": "...", "file": "...", "duration": s, "pictures": [s],
 *                      "view": { "turn": deg, "rise": deg, "centre": [m], "half": m } } ] } */
#pragma once

#include "experiments/suite/experiment.h"
#include "experiments/suite/trial.h"

typedef struct AbutSceneCase {
	const char *scene; /* its name in the spec */
	double rate;       /* Hz */
	double kappa;
	AbutFinish finish;
} AbutSceneCase;

/* What one experiment adds to a study of scenes: targets for each run, and its own observations. */
typedef struct AbutSceneStudy {
	const char *name;  /* name of the experiment */
	const char *title; /* title of its table */
	void (*judge)(void *context, const AbutSceneCase *done, const AbutTried *tried, AbutReport *report);
	void (*watch)(void *context, const AbutRunView *view); /* observes each step from 0; may be NULL */
	void *context;
} AbutSceneStudy;

AbutStatus abut_scenes_run(const AbutExperimentRun *run, const AbutSceneStudy *study, AbutReport *report,
                           AbutError *error);
