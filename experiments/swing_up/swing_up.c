/* Plans swing-ups of a pole and of two poles on a cart (examples of the Nimble paper). */
#include "experiments/robot_plans/robot_plans.h"

static AbutStatus execute(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	return abut_robot_plans_run("swing-up", 0, NULL, run, report, error);
}

const AbutExperiment abut_experiment_swing_up = {"swing-up", "swing_up", "Poles on a cart, swung up by planned forces",
                                                 execute};
