/* A robot as a scene of Abut. */
#pragma once

#include "abut/model.h"
#include "experiments/robots/robots.h"

typedef struct AbutRobotWorld {
	const AbutRobot *robot;
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
	AbutStepInfo info; /* of the last step */
} AbutRobotWorld;

AbutStatus abut_robot_create(const AbutRobot *robot, double timestep, AbutRobotWorld *out, AbutError *error);
void abut_robot_destroy(AbutRobotWorld *world);
/* Sets the torques of the motors, as shares of the largest: one for each hinge. */
void abut_robot_control(AbutRobotWorld *world, const double *controls);
static inline void abut_robot_step(AbutRobotWorld *world)
{
	abut_step(world->model, world->state, world->workspace, &world->info);
}
