/* Compares the times of steps of robots with MuJoCo's, at the same timestep. */
#pragma once

#include "experiments/report/report.h"
#include "experiments/robots/trial.h"

/* Creates the table. */
AbutTable *abut_robot_times_table(AbutReport *report);
/* Steps a robot at rest and in random motion with `seeds` seeds from `first_seed` on, and adds a row. `judged`: its
 * ratios are targets. */
AbutStatus abut_robot_times(const AbutRobotModel *robot, int seeds, unsigned long long first_seed, bool judged,
                            AbutTable *table, AbutReport *report, AbutError *error);
