/* Reads joints.csv of a run. */
#pragma once

#include "io/run/read.h"

/* Fills `record->joints` from `folder`/joints.csv, and those of frame 0 from the initial state. Without such a file, as
 * in scenes without joints, they remain NULL. Returns ABUT_ERROR_PARSE if the table is not that of the record. */
AbutStatus abut_run_read_joints(const char *folder, AbutRunRecord *record, AbutError *error);
