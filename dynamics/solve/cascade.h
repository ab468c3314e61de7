/* The cascade of starts that solves a step. */
#pragma once

#include "dynamics/island/island.h"

/* Which rows of the cascade may be tried. */
typedef enum AbutEffort {
	ABUT_EFFORT_QUICK, /* the rows that solve nearly all steps */
	ABUT_EFFORT_FULL,  /* then the slow rows */
	ABUT_EFFORT_RAISED /* then a larger kappa; its solution counts as a failure */
} AbutEffort;

/* Solves the step. Unless the outcome is failed, the iterate then holds the solution, at which the problem's bodies and
 * contacts are evaluated. */
void abut_step_solve(const AbutModel *model, AbutIsland *island, AbutEffort effort, AbutStepInfo *info);
