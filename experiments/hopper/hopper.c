/* Plans a hop (the Dojo paper, section V-B, table III). */
#include <math.h>

#include "experiments/robot_plans/robot_plans.h"

static AbutStatus execute(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	static const AbutPublishedPlan published[] = {{"hop", "Dojo, kappa 3e-4, 0.05 s", 8.9, 1e-3, 96},
	                                              {"hop", "MuJoCo, 0.01 s", 26.7, 2e-3, 66}};
	return abut_robot_plans_run("hopper", sizeof published / sizeof *published, published, run, report, error);
}

const AbutExperiment abut_experiment_hopper = {"hopper", "hopper", "A hop planned through contact", execute};
