/* A robot as a scene of Abut. */
#pragma once

#include "experiments/robots/robots.h"
#include "experiments/setting/world.h"

typedef struct AbutRobotWorld {
	const AbutBenchRobot *robot;
	AbutWorld world;
	AbutStepInfo info; /* of the last step */
} AbutRobotWorld;

AbutStatus abut_bench_robot_create(const AbutBenchRobot *robot, AbutMethod method, double timestep, AbutRobotWorld *out,
                                   AbutError *error);
void abut_bench_robot_destroy(AbutRobotWorld *robot);
/* Sets the torques of the motors, as shares of the largest: one for each hinge. */
void abut_robot_control(AbutRobotWorld *robot, const double *controls);
static inline void abut_robot_step(AbutRobotWorld *robot)
{
	abut_step(robot->world.model, robot->world.state, robot->world.workspace, &robot->info);
}
