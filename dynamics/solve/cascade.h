/* The cascade of tries that solves a step. */
#ifndef DYNAMICS_SOLVE_CASCADE_H
#define DYNAMICS_SOLVE_CASCADE_H

#include "dynamics/island/island.h"

/* The means by which a step may be solved. */
typedef enum AbutEffort {
	ABUT_EFFORT_QUICK, /* starts that solve nearly all steps */
	ABUT_EFFORT_FULL,  /* also those that take long */
	ABUT_EFFORT_RAISED /* also a larger kappa: a failure */
} AbutEffort;

/* Solves the step. Unless the outcome is failed, the iterate holds the solution, and the problem's bodies and contacts
 * are evaluated there. */
void abut_step_solve(const AbutModel *model, AbutIsland *island, AbutEffort effort, AbutStepInfo *info);

#endif
