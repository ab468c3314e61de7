/* What came out of one run of a sweep. */
#ifndef EXPERIMENTS_SWEEP_RESULT_H
#define EXPERIMENTS_SWEEP_RESULT_H

#include "experiments/sweep/measures.h"
#include "io/run/run.h"

typedef enum AbutRunOutcome {
	ABUT_RUN_DONE,    /* every step was solved */
	ABUT_RUN_FAILED,  /* a step was not */
	ABUT_RUN_REFUSED, /* no run: the library does not take the scene */
	ABUT_RUN_OUTCOME_COUNT
} AbutRunOutcome;

enum { ABUT_SWEEP_MESSAGE_SIZE = 768 };

typedef struct AbutSweepResult {
	AbutRunOutcome outcome;
	AbutRunSummary summary; /* it and the others are zero of a run that was refused */
	AbutSweepMeasures measures;
	uint64_t state_digest;
	double setup_time_s;
	char message[ABUT_SWEEP_MESSAGE_SIZE]; /* why it failed or was refused, on one line */
} AbutSweepResult;

#endif
