/* Measurements of a run of a sweep, besides its summary (io/run/run.h). */
#ifndef EXPERIMENTS_SWEEP_MEASURES_H
#define EXPERIMENTS_SWEEP_MEASURES_H

#include <stdint.h>

#include "io/run/run.h"

/* Measurements. A failed step counts, too, with its resulting state. */
typedef struct AbutSweepMeasures {
	double violation;    /* largest max(1 - alpha, 0) over steps and contacts */
	double momentum[3];  /* mean over the steps of |sum of m v|, component by component, world: kg m/s */
	double spin[3];      /* the same of |sum of R J w|, each body's about its own centre: kg m^2/s */
	double displacement; /* m, at the end, of the body farthest from its start */
	double rotation;     /* rad, at the end, of the body with the largest turn */
	double stood; /* s, until a body was farther from its start than allowed, or to the end; NaN: not measured */
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
	AbutRunSummary summary; /* this and the other numbers are zero for a refused run */
	AbutSweepMeasures measures;
	uint64_t state_digest;
	double setup_time_s;
	char message[ABUT_SWEEP_MESSAGE_SIZE]; /* why it failed or was refused, on one line */
} AbutSweepResult;

/* The state of the observer; the caller owns the measures. */
typedef struct AbutSweepObservation {
	AbutSweepMeasures *measures;
	AbutBodyState *start; /* (bodies of the model) owned */
	double stands_within; /* m; 0: not asked */
	bool fallen;
	long steps;
} AbutSweepObservation;

AbutStatus abut_sweep_observation_begin(const AbutModel *model, const AbutState *state, double stands_within,
                                        AbutSweepMeasures *measures, AbutSweepObservation *observation,
                                        AbutError *error);
void abut_sweep_observation_end(AbutSweepObservation *observation);
/* Observes a run; the context is the observation. */
AbutStatus abut_sweep_observe(void *observation, const AbutRunView *view, AbutError *error);

/* Digests the position, orientation and velocities of every body, bit by bit. */
uint64_t abut_sweep_state_digest(const AbutModel *model, const AbutState *state);

#endif
