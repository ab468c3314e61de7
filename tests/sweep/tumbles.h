/* A sweep of 24 runs for tests, and its making and reading: two boxes that tumble onto a floor, at random, by two
 * methods and at two rates. */
#pragma once

#include "experiments/sweep/table.h"
#include "sweep/sweep_folder.h"

/* Its scene; it is called boxes.json in the folder, and the sweep tumbles.json. */
extern const char sweep_boxes_text[];

AbutSweep *sweep_tumbles(void);

/* Makes the runs of a sweep, into the folder `name`; must succeed. */
void sweep_make(const AbutSweep *sweep, const char *name, const AbutSweepOptions *options);
AbutSweepTable *sweep_table(const char *name);

/* An entry of a column that must be there. */
double sweep_value(const AbutSweepTable *table, long row, const char *column);
const char *sweep_text(const AbutSweepTable *table, long row, const char *column);
