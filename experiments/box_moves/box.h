/* The planning task of the Dojo paper (section V-B, table III): forces at the centre of a box at rest on a floor move
 * it to a goal, where it is at rest again. */
#pragma once

#include "experiments/ilqr/reach.h"
#include "experiments/setting/world.h"

typedef struct AbutBoxMove {
	double side, mass, friction; /* m, kg */
	double timestep;             /* s */
	int horizon;
	double way[3]; /* m, displacement from start to goal */
	/* Weights: of the squared error of the state in SI units, 1/4 for turns; of squared inputs, N^2. */
	double running, final, effort;
} AbutBoxMove;

/* The scene and the task in it; both point into themselves. `reach` has no kappa, penalty and tolerance yet. */
enum { ABUT_BOX_INPUTS = 3 };
typedef struct AbutBoxTask {
	AbutOnFloor scene;
	AbutReach reach;
} AbutBoxTask;

AbutStatus abut_box_task(const AbutBoxMove *move, AbutBoxTask *out, AbutError *error);
