/* Makes and reads a sweep of 24 runs for tests: two boxes tumble onto a floor, at random, with two methods and two
 * rates. */
#pragma once

#include "experiments/sweep/table.h"
#include "sweep/sweep_folder.h"

/* Its scene, which is boxes.json in the folder; the sweep is tumbles.json. */
extern const char sweep_boxes_text[];

AbutSweep *sweep_tumbles(void);

/* Makes the runs of a sweep in the folder `name`. Fails the test if this fails. */
void sweep_make(const AbutSweep *sweep, const char *name, const AbutSweepOptions *options);
AbutSweepTable *sweep_table(const char *name);

/* Returns an entry of a column, which must exist. */
double sweep_value(const AbutSweepTable *table, long row, const char *column);
const char *sweep_text(const AbutSweepTable *table, long row, const char *column);
