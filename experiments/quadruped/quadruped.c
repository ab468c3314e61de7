/* Plans a walk of a quadruped (the Dojo paper, section V-B, table III). */
#include <math.h>

#include "experiments/robot_plans/robot_plans.h"

static AbutStatus execute(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	static const AbutPublishedPlan published[] = {{"trot", "Dojo, kappa 3e-4, 0.05 s", 2e-2, 3e-4, 20}};
	return abut_robot_plans_run("quadruped", sizeof published / sizeof *published, published, run, report, error);
}

const AbutExperiment abut_experiment_quadruped = {"quadruped", "quadruped", "A trot planned through contact", execute};
