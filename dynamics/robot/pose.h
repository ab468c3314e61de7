/* Forward kinematics of the tree. */
#pragma once

#include "dynamics/robot/robot.h"

/* Returns the geometry of a joint at the poses of the robot; its lengths are in m. `anchor` is that of the child. */
AbutJointPose abut_robot_joint_pose(const AbutRobot *robot, const AbutJoint *joint, double anchor[3]);

/* Sets the poses of all bodies, and the columns of all freedoms. */
void abut_robot_place(AbutRobot *robot, const double *q);
/* Sets the columns of all freedoms from the poses. */
void abut_robot_set_columns(AbutRobot *robot);
/* Sets the pose of a body from its motion, whose position is that of the centre of mass, and its past pose at the start
 * of a step of length `timestep` (s) that ends with its velocities. */
void abut_robot_set_motion(AbutRobot *robot, int body, const AbutBodyState *at, double timestep);
/* Sets the poses of all links in the same way; `motion` and `timestep` list the moving bodies. */
void abut_robot_set_motions(AbutRobot *robot, const AbutBodyState *motion, const double *timestep);
/* Exchanges poses and past poses. */
void abut_robot_swap_times(AbutRobot *robot);
/* Sets the poses of all bodies from a state, and the past poses of the step that ends with their velocities. */
void abut_robot_load_poses(AbutRobot *robot, const AbutState *state);
/* Computes the velocity of a point of a column's link, and its angular velocity, per rate of the freedom. */
void abut_column_velocity(const AbutColumn *column, const double point[3], double linear[3], double angular[3]);
/* Writes the pose of a body's frame to a state. */
void abut_robot_read_pose(const AbutRobot *robot, int body, AbutBodyState *out);
/* Sets the velocities of all bodies at the poses. */
void abut_robot_move(AbutRobot *robot, const double *qdot);
