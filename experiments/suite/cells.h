/* Sweeps in experiments: they are run or resumed and read back, and their runs are summed up in cells. */
#ifndef EXPERIMENTS_SUITE_CELLS_H
#define EXPERIMENTS_SUITE_CELLS_H

#include "experiments/suite/experiment.h"
#include "experiments/sweep/sweep.h"
#include "experiments/sweep/table.h"

typedef struct AbutGridRuns {
	AbutSweep *sweep;
	AbutSweepTable *table;
} AbutGridRuns;

/* The part of the progress of an experiment that a sweep covers. */
typedef struct AbutGridShare {
	double from, to;
} AbutGridShare;

/* Runs the sweep of the spec `file`, which is in the folder of the experiment's own spec, into the folder `name` of its
 * results. Close it also after a failure. */
AbutStatus abut_grid_run(const AbutExperimentRun *run, const char *file, const char *name, AbutGridShare share,
                         AbutGridRuns *out, AbutError *error);
void abut_grid_close(AbutGridRuns *grid);

int abut_grid_axis(const AbutGridRuns *grid, const char *name); /* -1: there is none */

/* The results of some runs of the grid. */
typedef struct AbutGridCell {
	long runs, refused, failed; /* failed: with a step that was not solved */
	double steps;
	double iterations;             /* mean over the steps */
	double violation, penetration; /* mean and largest of the runs' largest: dimensionless, m */
	double momentum[3], spin[3];   /* mean over the runs without a failed step of their means over the steps */
	double displacement;           /* m, largest over the runs: how far a body is at the end from its start */
	double stood;                  /* s, mean over the runs; NaN unless the sweep asks for it */
	double us;                     /* mean over the steps of a step's time */
	const char *message;           /* why the first of them was refused; NULL: none was */
} AbutGridCell;

/* Cells by the values on `n_axes` axes, the last fastest. Each sums up all runs with the same values. */
typedef struct AbutGridCells {
	int count;
	AbutGridCell *cells; /* (count) owned */
} AbutGridCells;

AbutStatus abut_grid_cells(const AbutGridRuns *grid, int n_axes, const int *axes, AbutGridCells *out, AbutError *error);
void abut_grid_cells_free(AbutGridCells *cells);

/* Returns the text of a cell without a value: "refused" or "failed" when all of its runs were, otherwise "-". */
const char *abut_grid_nothing(const AbutGridCell *cell);
/* Turns the sums over runs and steps into means. */
void abut_grid_divide(AbutGridCell *cell);
/* Returns the fraction of failed runs among those not refused; NaN when all were refused. */
double abut_grid_failed(const AbutGridCell *cell);

#endif
