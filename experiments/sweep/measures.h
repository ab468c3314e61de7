/* Defines the measurements of a run in a sweep that its summary (io/run/run.h) does not contain. */
#pragma once

#include <stdint.h>

#include "io/run/run.h"

/* Measurements. A failed step also counts, with the state it leaves. */
typedef struct AbutSweepMeasures {
	double violation;    /* largest max(1 - alpha, 0) over all steps and contacts */
	double momentum[3];  /* kg m/s, world: mean over the steps of |sum of m v|, each component */
	double spin[3];      /* kg m^2/s, world: mean of |sum of R J w|, about the bodies' centres */
	double displacement; /* m: largest displacement of a body from start to end */
	double rotation;     /* rad: largest rotation of a body from start to end */
	double stood; /* s, until a body left the allowed distance from its start, or the end; NaN: not measured */
} AbutSweepMeasures;

/* The result of one run of a sweep. */
typedef enum AbutRunOutcome {
	ABUT_RUN_DONE,    /* every step was solved */
	ABUT_RUN_FAILED,  /* a step was not solved */
	ABUT_RUN_REFUSED, /* the library does not support the scene */
	ABUT_RUN_OUTCOME_COUNT
} AbutRunOutcome;

enum { ABUT_SWEEP_MESSAGE_SIZE = 768 };

typedef struct AbutSweepResult {
	AbutRunOutcome outcome;
	AbutRunSummary summary; /* all numbers are zero for a refused run */
	AbutSweepMeasures measures;
	uint64_t state_digest;
	double setup_time_s;
	char message[ABUT_SWEEP_MESSAGE_SIZE]; /* why the run failed or was refused, on one line */
} AbutSweepResult;

/* The state of the observer; the caller owns the measures. */
typedef struct AbutSweepObservation {
	AbutSweepMeasures *measures;
	AbutBodyState *start; /* (bodies of the model) owned */
	double stands_within; /* m, the allowed distance of `stood`; 0: not measured */
	bool fallen;
	long steps;
} AbutSweepObservation;

AbutStatus abut_sweep_observation_begin(const AbutModel *model, const AbutState *state, double stands_within,
                                        AbutSweepMeasures *measures, AbutSweepObservation *observation,
                                        AbutError *error);
void abut_sweep_observation_end(AbutSweepObservation *observation);
/* Measures one step of a run; `observation` is an AbutSweepObservation. */
AbutStatus abut_sweep_observe(void *observation, const AbutRunView *view, AbutError *error);

/* Computes a digest of the exact bits of every body's position, orientation and velocities. */
uint64_t abut_sweep_state_digest(const AbutModel *model, const AbutState *state);
