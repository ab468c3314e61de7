/* Two fingertips, commanded by places, that lift an object to a place: the task as a scene with three moving bodies,
 * the object first (experiments/grasp/grasp.json), and what its plan is asked. */
#ifndef EXPERIMENTS_GRASP_TASK_H
#define EXPERIMENTS_GRASP_TASK_H

#include "experiments/ilqr/reach.h"

enum { ABUT_GRASP_OBJECT, ABUT_GRASP_LEFT, ABUT_GRASP_RIGHT, ABUT_GRASP_BODIES, ABUT_GRASP_INPUTS = 6 };

typedef struct AbutGraspTask {
	int horizon;
	double goal[3]; /* m, of the object, which is to be upright there */
	double running; /* weight of the object's place, 1/m^2 */
	double turns,
	    fingers;   /* shares of it: of the object's turn, 1/rad^2, and of the fingertips' places beside it */
	double rest;   /* weight of the object's velocity at the end, s^2/m^2: held there, not dropped into its place */
	double beside; /* m, these from its centre */
	double effort; /* weight of commands, 1/m^2 */
	double largest;            /* m, of a command: the place to go to in a step, from the present one */
	double guess;              /* m, the first guess: the fingertips towards each other by so much a step */
	double penalty, tolerance; /* the latter m and rad */
	int rounds, iterations;
} AbutGraspTask;

/* What is asked of a plan in the scene `def`, which it points to, but kappa; and the first guess. A command d is the
 * force m / dt^2 d: of a quasi-static model the spring to that place. */
AbutReach abut_grasp_reach(const AbutGraspTask *task, const AbutSceneDef *def);
void abut_grasp_guess(const AbutGraspTask *task, double *u);

#endif
