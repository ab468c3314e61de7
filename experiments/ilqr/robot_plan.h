/* Robots planned in joint coordinates (abut/robot.h, abut/linear.h). A state is q, then qdot; a change is one of
 * abut_robot_difference, then of qdot; inputs are the targets of all motors. Steps continue from the state that the
 * step before reached, warm start included, as in a run of the scene with these inputs: the plan does not depend on the
 * number of threads. Derivatives are those of each step by q, qdot and the targets (abut/linear.h), with the directions
 * of joints' impulses held (abut_gradient_hold_turns).
 *
 * Tested in tests/experiments/test_robot_plan.c. */
#pragma once

#include "abut/linear.h"
#include "experiments/ilqr/plan.h"

/* What is opened for a scene, once for each thread. */
typedef struct AbutRobotPlanner AbutRobotPlanner;

/* Opens the scene for plans of `horizon` steps on `threads` threads, at most ABUT_ILQR_THREADS. `def` is not needed
 * afterwards. Returns the statuses of abut_model_create and abut_linear_create. */
AbutStatus abut_robot_planner_open(const AbutSceneDef *def, int horizon, int threads, AbutRobotPlanner **out,
                                   AbutError *error);
void abut_robot_planner_close(AbutRobotPlanner *planner); /* accepts NULL */

const AbutModel *abut_robot_planner_model(const AbutRobotPlanner *planner);
AbutRobot *abut_robot_planner_robot(AbutRobotPlanner *planner);      /* of the calling thread */
int abut_robot_planner_coordinates(const AbutRobotPlanner *planner); /* length of q */
int abut_robot_planner_rates(const AbutRobotPlanner *planner);       /* length of qdot */
int abut_robot_planner_inputs(const AbutRobotPlanner *planner);      /* number of motors */
AbutParameter abut_robot_planner_input(const AbutRobotPlanner *planner,
                                       int i); /* its joint (`part`) and freedom (`index`) */
/* Writes the initial state of the scene (q, qdot). */
AbutStatus abut_robot_planner_start(AbutRobotPlanner *planner, double *x, AbutError *error);
/* Sets a state of the model to `x`. */
AbutStatus abut_robot_planner_set(AbutRobotPlanner *planner, const double *x, AbutState *state);

/* Plans from the initial state of the scene. See abut_plan. */
AbutStatus abut_robot_plan(AbutRobotPlanner *planner, const AbutPlanGoal *goal, const AbutPlanSearch *search, double *x,
                           double *u, AbutReached *out, AbutError *error);
