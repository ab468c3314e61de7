/* One run of a scene from its file: its summary, its creep at the end, and pictures. */
#ifndef EXPERIMENTS_SUITE_TRIAL_H
#define EXPERIMENTS_SUITE_TRIAL_H

#include "experiments/suite/frames.h"
#include "io/run/run.h"

enum { ABUT_TRIAL_PICTURES = 8 };

typedef struct AbutTrial {
	const char *file;
	int n_overrides;
	const char *const *overrides;      /* of the scene, as `--set` takes them */
	double settled;                    /* s: creep is measured over this time at the end of the run */
	AbutTable *pictures;               /* abut_frames_table; NULL: none */
	double times[ABUT_TRIAL_PICTURES]; /* (n_times) s, increasing */
	int n_times;
	AbutView view;
	/* Called after the start and after each step; may be NULL. */
	void (*watch)(void *context, const AbutRunView *view);
	void *context;
} AbutTrial;

typedef struct AbutTried {
	AbutRunSummary summary;
	/* Mean speed of the fastest point of any body over the end of the run, m/s: a bound on its distance (|way of
	 * the centre| + turn times outer radius) over the time. NaN: the run ended early. */
	double creep;
	double gain; /* J, largest growth of the energy in a step */
	int bodies, pairs;
} AbutTried;

AbutStatus abut_trial_run(const AbutTrial *trial, AbutTried *out, AbutError *error);

#endif
