/* Finds the cheapest settings at which a robot in random motion keeps to its contacts and limits. */
#pragma once

#include "experiments/report/report.h"
#include "experiments/robots/trial.h"

/* The runs: random targets of the robot's motors. */
typedef struct AbutAccurateRuns {
	const AbutRobotModel *robot;
	double duration; /* s */
	int seeds;
	unsigned long long first_seed;
	bool mujoco; /* in MuJoCo as well */
} AbutAccurateRuns;

/* Creates the table. */
AbutTable *abut_robot_accurate_table(AbutReport *report);
/* Tries timesteps, and in MuJoCo the hardness of contacts and limits too. Adds a row for each engine, and judges the
 * ratio of their times. */
AbutStatus abut_robot_accurate(const AbutAccurateRuns *runs, AbutTable *table, AbutReport *report, AbutError *error);
