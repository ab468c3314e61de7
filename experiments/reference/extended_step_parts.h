/* Defines the parts of a step in extended precision: its islands, each with its solution. */
#pragma once

#include "experiments/reference/extended_solve.h"
#include "experiments/reference/extended_step.h"

typedef struct AbutExtendedRecord {
	const char *why; /* why there is no solution; NULL: solved */
	AbutExtendedIsland island;
	AbutExtendedSolver solver;
} AbutExtendedRecord;

struct AbutExtendedStep {
	const AbutModel *model;
	double kappa;
	int n_records;
	AbutExtendedRecord *records; /* (n_moving) */
	int *record_of;              /* (n_moving) index of each body's record; negative: no record */
	AbutStatus status;
};
