/* Computes the energy and momentum of all moving bodies together. */
#pragma once

#include "abut/model.h"

typedef struct AbutRunTotals {
	double energy;      /* J, kinetic plus potential */
	double momentum[3]; /* kg m/s, world frame */
} AbutRunTotals;

AbutRunTotals abut_run_totals(const AbutModel *model, const AbutState *state);
