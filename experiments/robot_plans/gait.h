/* The states of a kinematic trot (trot.h): inverse kinematics finds the joints that put base and feet in place. */
#pragma once

#include "experiments/robot_plans/task.h"

/* The states that are to be filled. */
typedef struct AbutGaitStates {
	AbutRobotPlanner *planner;
	const AbutSceneDef *def;
	int base; /* first entry of the base in q */
	int horizon;
	double timestep;     /* s */
	const double *start; /* state */
} AbutGaitStates;

/* Fills `states` ((horizon + 1) x state) with a trot from the start to the place `way` (m) away. All feet stand for the
 * time `lead` at both ends. Between, the base moves at a speed that rises and falls smoothly, and the feet of the two
 * diagonals swing in turn, half a period each; each lands where its hip will be in the middle of its next stance. Feet
 * are the sites whose names begin with "foot", in the order front left, front right, rear left, rear right.
 * ABUT_ERROR_ARGUMENT: the scene has no base or not four feet; ABUT_ERROR_NUMERICAL: the legs are too short. */
AbutStatus abut_gait_fill(const AbutTaskGait *gait, const AbutGaitStates *of, const double way[3], double *states,
                          AbutError *error);
