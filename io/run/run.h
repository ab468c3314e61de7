/* A run: steps of a model for a while, observed and summed up. */
#ifndef IO_RUN_RUN_H
#define IO_RUN_RUN_H

#include <signal.h>

#include "abut/model.h"

enum {
	ABUT_RUN_LOG_CAPACITY = 1000, /* iterations of a step; later ones are dropped */
	ABUT_RUN_TEXT_SIZE = 384
};

/* What an observer sees: after the initial state (step 0, `info` NULL) and after each step. A step that was not solved
 * (ABUT_OUTCOME_FAILED, the last one) left the state as it was, and the workspace without contacts to read. */
typedef struct AbutRunView {
	const AbutModel *model;
	const AbutState *state;
	const AbutWorkspace *workspace;
	const AbutStepInfo *info;
	long step, steps;                     /* of how many */
	const struct AbutRunSummary *summary; /* so far, this step included, without times; NULL: of a step alone */
} AbutRunView;

typedef struct AbutRunObserver {
	/* Anything but ABUT_OK, with `error` filled, ends the run. */
	AbutStatus (*observe)(void *context, const AbutRunView *view, AbutError *error);
	void *context;
	bool wants_log; /* the iterations of each step, in `info->log`; otherwise that is empty */
} AbutRunObserver;

typedef struct AbutRunSummary {
	long steps_asked;
	long steps;                       /* taken, a last failed one included */
	long exact_steps;                 /* finished to the exact solution */
	long relaxed_steps;               /* solved at kappa, not finished */
	long first_relaxed_step;          /* from 1; 0 when there is none */
	long retried_steps;               /* solved by another start of the cascade */
	long halved_steps;                /* solved in half steps */
	long raised_kappa_steps;          /* solved only at a larger kappa: counted as failed */
	long failed_steps;                /* not solved for the asked timestep, law and kappa */
	long first_failed_step;           /* from 1; 0 when none failed */
	bool ended_early;                 /* a step was not solved at all: the state is the one before it */
	bool interrupted;                 /* the plan's `stop` ended it before its last step */
	char failure[ABUT_RUN_TEXT_SIZE]; /* why the first failed step failed; empty when none did */
	char ending[ABUT_RUN_TEXT_SIZE];  /* why the step that ended the run early was not solved */
	double iterations_mean;
	int iterations_max;
	double max_penetration; /* m */
	double max_residual, max_complementarity;
	double energy_start;                           /* J, of the initial state */
	double energy_drift;                           /* J, final minus initial */
	double step_time_us_median, step_time_us_mean; /* of the steps that this call took; so is the next */
	double wall_time_s;                            /* of the whole run, observers included */
	double final_time;                             /* s */
} AbutRunSummary;

/* Returns the number of steps of a scene: its duration over its timestep, rounded, at least one. */
long abut_run_steps(const AbutSceneDef *def);

/* Plan of a run. Members other than `steps` may be zero. */
typedef struct AbutRunPlan {
	long steps;                 /* altogether, those of `from` included */
	const AbutRunSummary *from; /* of the run so far, if it is continued; NULL: from the start */
	/* Sets the inputs of `step`, from 1, before it is taken; anything but ABUT_OK, with `error` filled, ends the
	 * run. NULL: they stay. */
	AbutStatus (*drive)(void *context, const AbutModel *model, AbutState *state, long step, AbutError *error);
	void *driver; /* its context */
	const volatile sig_atomic_t
	    *stop; /* not 0: the run ends after the step that is being taken; NULL: it never does */
} AbutRunPlan;

/* Takes `steps` steps, fewer when one is not solved. `summary` is filled on ABUT_OK; otherwise `error` (may be NULL)
 * says what failed. Deterministic but for the times. */
AbutStatus abut_run(const AbutModel *model, AbutState *state, AbutWorkspace *workspace, long steps,
                    const AbutRunObserver *observers, int n_observers, AbutRunSummary *summary, AbutError *error);
/* Runs by a plan. A continued run first shows observers the state from which it continues, without info; its summary is
 * that of the whole run. */
AbutStatus abut_run_planned(const AbutModel *model, AbutState *state, AbutWorkspace *workspace, const AbutRunPlan *plan,
                            const AbutRunObserver *observers, int n_observers, AbutRunSummary *summary,
                            AbutError *error);

#endif
