/* Runs a model: takes steps, reports them to observers and summarises them. */
#pragma once

#include <signal.h>

#include "abut/model.h"

enum {
	ABUT_RUN_LOG_CAPACITY = 1000, /* iterations logged per step; later ones are dropped */
	ABUT_RUN_TEXT_SIZE = 384
};

/* What an observer sees after the initial state (step 0, `info` is NULL) and after each step. If the last step was not
 * solved (ABUT_OUTCOME_FAILED), the state is unchanged and the workspace has no contacts. */
typedef struct AbutRunView {
	const AbutModel *model;
	const AbutState *state;
	const AbutWorkspace *workspace;
	const AbutStepInfo *info;
	long step, steps;                     /* current step, and number of steps planned */
	const struct AbutRunSummary *summary; /* up to and including this step, without times; NULL for a single step */
} AbutRunView;

typedef struct AbutRunObserver {
	/* Any status except ABUT_OK ends the run; `error` must then be filled. */
	AbutStatus (*observe)(void *context, const AbutRunView *view, AbutError *error);
	void *context;
	bool wants_log; /* fill `info->log` with the iterations of each step; otherwise it is empty */
} AbutRunObserver;

/* Largest errors of joints in all steps. */
typedef struct AbutRunJointErrors {
	double violation_m, violation_rad; /* of held freedoms */
	double limit;                      /* rad or m: overshoot of a limit */
} AbutRunJointErrors;

typedef struct AbutRunSummary {
	long steps_asked;
	long steps;                       /* steps taken, including a failed last step */
	long exact_steps;                 /* refined to the exact solution */
	long relaxed_steps;               /* solved at kappa, but not refined to the exact solution */
	long first_relaxed_step;          /* counted from 1; 0: none */
	long retried_steps;               /* solved by a retry of the cascade */
	long halved_steps;                /* solved in half steps */
	long raised_kappa_steps;          /* solved only at a larger kappa; also counted in failed_steps */
	long failed_steps;                /* not solved with the requested timestep, law and kappa */
	long first_failed_step;           /* counted from 1; 0: none */
	bool interrupted;                 /* ended by the plan's `stop` before its last step was solved */
	char failure[ABUT_RUN_TEXT_SIZE]; /* why the first failed step failed; empty: none failed */
	char ending[ABUT_RUN_TEXT_SIZE];  /* why the last step was not solved, so that the run ended before it; empty:
	                                     the run did not end early */
	double iterations_mean;
	int iterations_max;
	double max_penetration; /* m */
	double max_residual, max_complementarity;
	AbutRunJointErrors joint_errors;
	double energy_start;                           /* J, initial state */
	double energy_drift;                           /* J, final minus initial */
	double step_time_us_median, step_time_us_mean; /* us, of the steps taken by this call */
	double wall_time_s;                            /* duration of this call, observers included */
	double final_time;                             /* s */
} AbutRunSummary;

/* Returns the number of steps of a scene: duration / timestep, rounded, at least 1. */
long abut_run_steps(const AbutSceneDef *def);

/* Plan of a run. Members other than `steps` may be zero. */
typedef struct AbutRunPlan {
	long steps;                 /* in total, including the steps of `from` */
	const AbutRunSummary *from; /* summary so far of a run to be resumed; NULL: new run */
	/* Sets the inputs of `step` (from 1) before it is taken. Any status except ABUT_OK ends the run; `error` must
	 * then be filled. NULL: the inputs do not change. */
	AbutStatus (*drive)(void *context, const AbutModel *model, AbutState *state, long step, AbutError *error);
	void *driver;                      /* context of `drive` */
	const volatile sig_atomic_t *stop; /* nonzero: the run ends, also within a step. Replaces the
	                                      workspace's own stop, and is removed after the run. NULL: the
	                                      workspace keeps its own stop */
} AbutRunPlan;

/* Takes `steps` steps, or fewer if one is not solved. `summary` is filled on ABUT_OK; otherwise `error` (may be NULL)
 * says what failed. Results are deterministic except for the times. */
AbutStatus abut_run(const AbutModel *model, AbutState *state, AbutWorkspace *workspace, long steps,
                    const AbutRunObserver *observers, int n_observers, AbutRunSummary *summary, AbutError *error);
/* Runs according to a plan. A resumed run first shows its starting state to the observers, with `info` NULL. Its
 * summary covers the whole run, but its wall and step times only this call. */
AbutStatus abut_run_planned(const AbutModel *model, AbutState *state, AbutWorkspace *workspace, const AbutRunPlan *plan,
                            const AbutRunObserver *observers, int n_observers, AbutRunSummary *summary,
                            AbutError *error);
