/* Times several solvers on the same falls. They take each step in turn, so that other work on the machine affects all
 * of them. */
#pragma once

#include "abut/status.h"
#include "experiments/sweep/sweep.h"

/* One step of one solver. */
typedef struct AbutTimedStep {
	double us;
	int iterations;
	bool contact; /* in this step of the first row, bodies were so near that contact had to be solved */
	bool failed;
} AbutTimedStep;

/* A solver: a point of the sweep's grid without its seeds. */
typedef struct AbutTimedRow {
	int *values; /* (axes) its value on each axis of the sweep; owned */
	int count, capacity;
	AbutTimedStep *steps; /* (count) owned */
} AbutTimedRow;

/* The rows of one scene, in the order of the grid. */
typedef struct AbutTimedRows {
	int scene; /* value on the scene axis */
	int count;
	AbutTimedRow *rows; /* owned */
} AbutTimedRows;

AbutStatus abut_timed_rows_create(const AbutSweep *sweep, int scene, AbutTimedRows *out, AbutError *error);
void abut_timed_rows_free(AbutTimedRows *rows);

/* Adds the steps of the fall of one seed. Each row continues from its own state, or from that of the first row after a
 * failed step. If the first row fails, the fall ends. */
AbutStatus abut_timed_fall(const AbutSweep *sweep, unsigned long long seed, AbutTimedRows *rows, AbutError *error);
