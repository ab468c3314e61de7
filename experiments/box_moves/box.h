/* Makes the planning task of the Dojo paper (section V-B, table III). Forces at the centre of a box at rest on a floor
 * move it to a goal, where it is at rest again. */
#pragma once

#include "experiments/ilqr/reach.h"
#include "experiments/setting/world.h"

typedef struct AbutBoxMove {
	double side, mass, friction; /* edge length in m, kg, coefficient */
	double timestep;             /* s */
	int horizon;
	double way[3]; /* m, displacement from start to goal */
	/* Weights of squared errors of the state in SI units (a quarter for rotations) and of squared forces, 1/N^2. */
	double running, final, effort;
} AbutBoxMove;

/* The scene, and the planning task in it. Both point into themselves; do not move them. kappa, penalty and tolerance of
 * `reach` are not set yet. */
enum { ABUT_BOX_INPUTS = 3 };
typedef struct AbutBoxTask {
	AbutOnFloor scene;
	AbutReach reach;
} AbutBoxTask;

AbutStatus abut_box_task(const AbutBoxMove *move, AbutBoxTask *out, AbutError *error);
