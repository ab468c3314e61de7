/* A scene from its file, run once: its summary, whether it comes to rest, and pictures on the way. */
#ifndef EXPERIMENTS_SUITE_TRIAL_H
#define EXPERIMENTS_SUITE_TRIAL_H

#include "experiments/suite/frames.h"
#include "io/run/run.h"

enum { ABUT_TRIAL_PICTURES = 8 };

typedef struct AbutTrial {
	const char *file;
	int n_overrides;
	const char *const *overrides;      /* of the scene, as `--set` takes them */
	double settled;                    /* s: creep is measured over the last of the run */
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
	/* How fast the fastest point of any body moves on average over the end of the run: how far it has gone from
	 * then to the end, by a bound (|way of the centre| + turn times outer radius), over the time: m/s. NaN: ended
	 * early. */
	double creep;
	double gain; /* J, the most that the energy has grown by in a step */
	int bodies, pairs;
} AbutTried;

AbutStatus abut_trial_run(const AbutTrial *trial, AbutTried *out, AbutError *error);

#endif
