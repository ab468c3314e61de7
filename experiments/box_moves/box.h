/* A box at rest on a floor that forces at its centre move to a place a distance away, where it is at rest again: the
 * planning task of the Dojo paper (section V-B, table III). */
#ifndef EXPERIMENTS_BOX_MOVES_BOX_H
#define EXPERIMENTS_BOX_MOVES_BOX_H

#include "experiments/ilqr/reach.h"
#include "experiments/setting/world.h"

typedef struct AbutBoxMove {
	double side, mass, friction; /* m, kg */
	double timestep;             /* s */
	int horizon;
	double way[3];                 /* m, from the start to the goal */
	double running, final, effort; /* weights: of the state's error, squared SI, but of turns 1/4; of inputs, N^2 */
} AbutBoxMove;

/* The scene and the task in it, which point into themselves; `reach` has no kappa, penalty and tolerance yet. */
enum { ABUT_BOX_INPUTS = 3 };
typedef struct AbutBoxTask {
	AbutOnFloor scene;
	AbutReach reach;
} AbutBoxTask;

AbutStatus abut_box_task(const AbutBoxMove *move, AbutBoxTask *out, AbutError *error);
void abut_box_task_free(AbutBoxTask *task); /* also of one that was not made */

#endif
