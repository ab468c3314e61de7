/* Decides whether a failure to open or create a file is an error of the given path or of the system. */
#pragma once

#include "abut/status.h"

/* Converts an errno. Returns ABUT_ERROR_ARGUMENT if another path could work. If the same path could work later, returns
 * ABUT_ERROR_MEMORY or, for example for a full disk, ABUT_ERROR_IO. */
AbutStatus abut_path_status(int reason);
