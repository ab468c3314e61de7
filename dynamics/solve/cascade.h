/* The cascade of tries that solves a step. */
#ifndef DYNAMICS_SOLVE_CASCADE_H
#define DYNAMICS_SOLVE_CASCADE_H

#include "dynamics/island/island.h"

/* By which means a step is to be solved. */
typedef enum AbutEffort {
	ABUT_EFFORT_QUICK, /* the starts that solve nearly all steps */
	ABUT_EFFORT_FULL,  /* then those that take long */
	ABUT_EFFORT_RAISED /* then a larger kappa: a failure */
} AbutEffort;

/* Solves the step. Unless the outcome is failed, the iterate holds the solution, and the problem's bodies and contacts
 * are evaluated there. */
void abut_step_solve(const AbutModel *model, AbutIsland *island, AbutEffort effort, AbutStepInfo *info);

#endif
