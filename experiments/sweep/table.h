/* Reads the tables in the folder of a sweep. */
#pragma once

#include "abut/status.h"

/* runs.csv joined with times.csv: one row for each run, in the order of the runs. */
typedef struct AbutSweepTable AbutSweepTable;

AbutStatus abut_sweep_table_read(const char *folder, AbutSweepTable **out, AbutError *error);
void abut_sweep_table_destroy(AbutSweepTable *table); /* NULL is fine */

long abut_sweep_table_rows(const AbutSweepTable *table);
int abut_sweep_table_column(const AbutSweepTable *table, const char *name); /* -1: no such column */
/* Returns the text of a cell; "" for a missing value and for column -1. */
const char *abut_sweep_table_text(const AbutSweepTable *table, long row, int column);
double abut_sweep_table_number(const AbutSweepTable *table, long row, int column); /* NaN if the cell is not a number */
