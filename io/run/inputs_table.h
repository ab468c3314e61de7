/* Tables of inputs: inputs.csv of a run's folder, or a user's table (docs/snapshots.md). */
#pragma once

#include "io/run/inputs.h"

/* Reads the table `path`. Its columns are `step` or `time` (s), then `body` and `force_x` ... `torque_z`, or `joint`,
 * `axis` and `target`, or both; its rows must be in order of time. Errors give file and line. */
AbutStatus abut_inputs_read(const char *path, const AbutModel *model, AbutInputs *out, AbutError *error);
/* Writes inputs.csv into the folder. The file is complete or not written at all. */
AbutStatus abut_inputs_write(const AbutInputs *inputs, const AbutModel *model, const char *folder, AbutError *error);
