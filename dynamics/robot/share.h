/* Shares efforts between the motors of loops and couplings. */
#pragma once

#include "dynamics/island/problem.h"
#include "dynamics/robot/robot.h"

/* Allocates the memory of abut_robot_share on the first call. */
AbutStatus abut_share_reserve(AbutRobot *robot, AbutError *error);
void abut_share_release(AbutShare *share);

/* Finds the impulses of an island's loops, of its couplings, of the limits that are reached and of the motors of joints
 * that close loops with which the efforts of all motors are smallest: adds them to those of the joints, takes them off
 * what the bodies lack (robot->balance), and writes the efforts of the motors of joints that close loops to
 * robot->motors. Sets `internal` to the number of independent efforts that only load the robot. Returns
 * ABUT_ERROR_NUMERICAL if the singular values are not found. Call abut_share_reserve before. */
AbutStatus abut_robot_share(AbutRobot *robot, const AbutContactProblem *problem, int *internal, AbutError *error);
