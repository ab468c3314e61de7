/* What a planning task asks of each step: states to follow and their weights. */
#pragma once

#include "experiments/robot_plans/task.h"

/* Arrays for abut_robot_plan. */
typedef struct AbutTaskArrays {
	double *memory;
	double *x, *u;               /* ((N + 1) x state) with the initial state, (N x inputs) with the first guess */
	double *reference, *weights; /* ((N + 1) x state), ((N + 1) x change) */
	double *effort, *rest;       /* (inputs), (N x inputs) */
	bool *bound;                 /* (change) */
	double *low, *high;          /* (inputs) the limits of motors that have some */
	int state, change, inputs;
} AbutTaskArrays;

/* Fills the arrays for a task. ABUT_ERROR_ARGUMENT: a waypoint names a joint that the scene does not have, that
 * has no coordinate of its own or several; a motor holds a rate or closes a loop; the base moves in a plane; or the
 * gait finds no feet. */
AbutStatus abut_task_arrays(const AbutTask *task, const AbutSceneDef *def, AbutRobotPlanner *planner,
                            AbutTaskArrays *out, AbutError *error);
void abut_task_arrays_free(AbutTaskArrays *arrays);
/* The goal of the task for abut_robot_plan; points into the arrays. */
AbutPlanGoal abut_task_goal(const AbutTask *task, const AbutTaskArrays *arrays);
