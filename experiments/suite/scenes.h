/* Experiments that are a few scenes, each run at several settings of the solver: a row a run, pictures of the first of
 * each scene, and a verdict. The spec:
 *
 *     { "experiment": NAME, "settled": s, "rates": [Hz], "kappas": [...], "finishes": ["exact", "none"],
 *       "scenes": [ { "name": "...", "file": "...", "duration": s, "pictures": [s],
 *                     "view": { "turn": deg, "rise": deg, "centre": [m], "half": m } } ] }
 */
#ifndef EXPERIMENTS_SUITE_SCENES_H
#define EXPERIMENTS_SUITE_SCENES_H

#include "experiments/suite/experiment.h"
#include "experiments/suite/trial.h"

typedef struct AbutSceneCase {
	const char *scene; /* its name in the spec */
	double rate;       /* Hz */
	double kappa;
	AbutFinish finish;
} AbutSceneCase;

/* The part of an experiment in a study of scenes: targets about a run, and its own observations. */
typedef struct AbutSceneStudy {
	const char *name;  /* of the experiment */
	const char *title; /* of its table */
	void (*judge)(void *context, const AbutSceneCase *done, const AbutTried *tried, AbutReport *report);
	void (*watch)(void *context, const AbutRunView *view); /* NULL: nothing; a run begins with step 0 */
	void *context;
} AbutSceneStudy;

AbutStatus abut_scenes_run(const AbutExperimentRun *run, const AbutSceneStudy *study, AbutReport *report,
                           AbutError *error);

#endif
