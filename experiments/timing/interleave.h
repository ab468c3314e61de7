/* Several solvers on the same falls, step by step in turn: what else the machine does then falls on all of them. */
#ifndef EXPERIMENTS_TIMING_INTERLEAVE_H
#define EXPERIMENTS_TIMING_INTERLEAVE_H

#include "abut/status.h"
#include "experiments/sweep/sweep.h"

/* One step of one solver. */
typedef struct AbutTimedStep {
	double us;
	int iterations;
	bool contact; /* something was near enough to be solved for, in the step of the first row */
	bool failed;
} AbutTimedStep;

/* A solver: a point of the sweep's grid without its seeds. */
typedef struct AbutTimedRow {
	int *values; /* (axes) owned: on each axis of the sweep */
	long count, capacity;
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

/* Adds the steps of the fall of one seed. Each row moves on from its own state; a row whose step failed goes on from
 * that of the first row, which ends the fall when it fails itself. */
AbutStatus abut_timed_fall(const AbutSweep *sweep, unsigned long long seed, AbutTimedRows *rows, AbutError *error);

#endif
