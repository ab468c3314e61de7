/* The task of a grasp: two fingertips, commanded by positions, lift an object to a goal, in a scene with three moving
 * bodies, the object first (experiments/grasp/grasp.json). */
#pragma once

#include "experiments/ilqr/reach.h"

enum { ABUT_GRASP_OBJECT, ABUT_GRASP_LEFT, ABUT_GRASP_RIGHT, ABUT_GRASP_BODIES, ABUT_GRASP_INPUTS = 6 };

typedef struct AbutGraspTask {
	int horizon;
	double goal[3];        /* m, of the object, which must be upright there */
	double running;        /* weight of the object's place, 1/m^2 */
	double turns, fingers; /* relative to `running`: of the turn of the object, 1/rad^2, and of the positions of the
	                          fingertips beside it */
	double rest;           /* weight of the velocity of the object at the end, s^2/m^2, so that it is held there */
	double beside;         /* m, distance of the fingertips from its centre */
	double effort;         /* weight of commands, 1/m^2 */
	double largest;        /* m, of a command: the wanted displacement in a step */
	double guess;          /* m, the first guess: how far the fingertips approach each other in a step */
	double penalty, tolerance; /* the latter m and rad */
	int rounds, iterations;
} AbutGraspTask;

/* Makes the task of a plan in the scene `def`, which it points to, without kappa; and the first guess. A command d is
 * the force m / dt^2 d, which in a quasi-static model is a spring to that position. */
AbutReach abut_grasp_reach(const AbutGraspTask *task, const AbutSceneDef *def);
void abut_grasp_guess(const AbutGraspTask *task, double *u);
