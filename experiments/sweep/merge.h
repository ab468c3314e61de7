/* Joins the folders of the shards of one sweep. */
#pragma once

#include "experiments/sweep/sweep.h"

/* Joins the folders of all shards of one sweep into `folder`; the result equals that of a run on one machine. Returns
 * ABUT_ERROR_ARGUMENT if the folders belong to different sweeps, runs are missing, or `folder` already contains tables.
 */
AbutStatus abut_sweep_merge(int n_folders, const char *const *folders, const char *folder, AbutSweepCounts *counts,
                            AbutError *error);
