/* Makes the task of a grasp: two fingertips, commanded by positions, lift an object to a goal. The scene has three
 * moving bodies, the object first (experiments/grasp/grasp.json). */
#pragma once

#include "experiments/ilqr/reach.h"

enum { ABUT_GRASP_OBJECT, ABUT_GRASP_LEFT, ABUT_GRASP_RIGHT, ABUT_GRASP_BODIES, ABUT_GRASP_INPUTS = 6 };

typedef struct AbutGraspTask {
	int horizon;
	double goal[3];            /* position of the object, which must be upright there, m */
	double running;            /* weight of the object's position, 1/m^2 */
	double turns, fingers;     /* weights relative to `running`: of the object's rotation, and of the fingertips'
	                              positions beside it */
	double rest;               /* weight of the object's velocity at the end, where it has to be at rest, s^2/m^2 */
	double beside;             /* distance of each fingertip from the object's centre at the goal, m */
	double effort;             /* weight of commands, 1/m^2 */
	double largest;            /* largest command, m: the wanted displacement in a step */
	double guess;              /* first guess: how far each fingertip moves inwards in a step, m */
	double penalty, tolerance; /* tolerance in m and rad */
	int rounds, iterations;
} AbutGraspTask;

/* Makes the task in the scene `def`, to which it points, without kappa; and the first guess of the commands. A command
 * d is the force m / dt^2 d, which acts in a quasi-static model like a spring to that position. */
AbutReach abut_grasp_reach(const AbutGraspTask *task, const AbutSceneDef *def);
void abut_grasp_guess(const AbutGraspTask *task, double *u);
