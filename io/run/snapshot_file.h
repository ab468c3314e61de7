/* Writes snapshot files into a folder. */
#pragma once

#include "abut/snapshot.h"

/* Writes the snapshot `folder/name`; a link of that name is replaced. If `folder` is NULL, does the same as
 * abut_snapshot_write with the path `name`. */
AbutStatus abut_snapshot_write_in(const char *folder, const char *name, const AbutModel *model, const AbutState *state,
                                  AbutError *error);
