/* Writes the rows of runs.csv and times.csv. */
#pragma once

#include "experiments/sweep/measures.h"
#include "experiments/sweep/sweep.h"

typedef enum AbutSweepTableKind {
	ABUT_SWEEP_RESULTS, /* runs.csv: equal whenever the sweep is equal */
	ABUT_SWEEP_TIMES,   /* times.csv: measured times */
	ABUT_SWEEP_TABLES
} AbutSweepTableKind;

const char *abut_run_outcome_name(AbutRunOutcome outcome);

/* Returns whether the tables have a column of this name besides the axes. */
bool abut_sweep_is_column(const char *name);

/* Return the header of a table, or the row of a run, with a line feed. The caller frees it; NULL when out of memory. */
char *abut_sweep_header_text(const AbutSweep *sweep, AbutSweepTableKind table);
char *abut_sweep_row_text(const AbutSweep *sweep, long run, const AbutSweepResult *result, AbutSweepTableKind table);
