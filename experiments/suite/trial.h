/* Runs a scene once from its file, and returns its summary, its creep at the end, and pictures. */
#pragma once

#include "experiments/suite/frames.h"
#include "io/run/run.h"

enum { ABUT_TRIAL_PICTURES = 8 };

typedef struct AbutTrial {
	const char *file;
	int n_overrides;
	const char *const *overrides;      /* changes of the scene, as for `--set` */
	double settled;                    /* s, time at the end of the run over which creep is measured */
	AbutTable *pictures;               /* table of abut_frames_table; NULL: no pictures */
	double times[ABUT_TRIAL_PICTURES]; /* (n_times) s, increasing, of the pictures */
	int n_times;
	AbutView view;
	/* Called after the start and after each step; may be NULL. */
	void (*watch)(void *context, const AbutRunView *view);
	void *context;
} AbutTrial;

typedef struct AbutTried {
	AbutRunSummary summary;
	/* m/s: a bound on the mean speed of the fastest point of any body over the end of the run. It is the distance
	 * of the centre plus the turn (rad) times the outer radius, divided by the time. NaN: the run ended early. */
	double creep;
	double gain; /* J, largest increase of the energy in a step */
	int bodies, pairs;
} AbutTried;

AbutStatus abut_trial_run(const AbutTrial *trial, AbutTried *out, AbutError *error);
