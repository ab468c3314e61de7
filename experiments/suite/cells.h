/* Runs or resumes sweeps within experiments, reads them back, and sums up their runs in cells. */
#pragma once

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

/* Runs the sweep of the spec `file`, which is in the folder of the experiment's spec. Results go to the folder `name`
 * of the experiment's results. Close `out` also after a failure. */
AbutStatus abut_grid_run(const AbutExperimentRun *run, const char *file, const char *name, AbutGridShare share,
                         AbutGridRuns *out, AbutError *error);
void abut_grid_close(AbutGridRuns *grid);

int abut_grid_axis(const AbutGridRuns *grid, const char *name); /* -1: no such axis */

/* The results of some runs of the grid. */
typedef struct AbutGridCell {
	long runs, refused, failed; /* runs with a step that was not solved count as failed */
	double steps;
	double iterations;             /* mean over all steps */
	double violation, penetration; /* mean and maximum of the runs' largest: dimensionless, m */
	double momentum[3], spin[3];   /* kg m/s, kg m^2/s: means over steps and runs without a failed step */
	double displacement;           /* m, largest over the runs: distance of a body at the end from its start */
	double stood;                  /* s, mean over the runs; NaN unless the sweep measures it */
	double us;                     /* us, mean time of a step */
	const char *message;           /* why the first refused run was refused; NULL: none was */
} AbutGridCell;

/* Cells by the values on `n_axes` axes; the last axis changes fastest. Each cell sums up all runs with its values. */
typedef struct AbutGridCells {
	int count;
	AbutGridCell *cells; /* (count) owned */
} AbutGridCells;

AbutStatus abut_grid_cells(const AbutGridRuns *grid, int n_axes, const int *axes, AbutGridCells *out, AbutError *error);
void abut_grid_cells_free(AbutGridCells *cells);

/* Returns the text of a cell without a value: "refused" or "failed" if all of its runs were, otherwise "-". */
const char *abut_grid_nothing(const AbutGridCell *cell);
/* Turns the sums over runs and steps into means. */
void abut_grid_divide(AbutGridCell *cell);
/* Returns the share of failed runs among those not refused; NaN if all were refused. */
double abut_grid_failed(const AbutGridCell *cell);
