/* Reads sensors.csv of a run. */
#pragma once

#include "io/run/read.h"

/* Fills `record->sensors` from `folder`/sensors.csv, and those of frame 0 from the initial state. Without such a file,
 * as in scenes without sensors, they remain NULL. Returns ABUT_ERROR_PARSE if the table is not that of the record. */
AbutStatus abut_run_read_sensors(const char *folder, AbutRunRecord *record, AbutError *error);
