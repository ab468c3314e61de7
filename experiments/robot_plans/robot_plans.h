/* Runs an experiment that plans tasks of robots (task.h) and reports the plans. */
#pragma once

#include "experiments/suite/experiment.h"

/* A published plan; NaN: not published, or not solved. */
typedef struct AbutPublishedPlan {
	const char *plan, *planner; /* name of the task; by whom */
	double cost, violation, iterations;
} AbutPublishedPlan;

/* Plans all tasks of the experiment `name`. Judges that each plan is found. The report lists
 * the `n` published plans beside them. */
AbutStatus abut_robot_plans_run(const char *name, int n, const AbutPublishedPlan *published,
                                const AbutExperimentRun *run, AbutReport *report, AbutError *error);
