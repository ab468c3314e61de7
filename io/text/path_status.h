/* Who is to blame when a file or folder cannot be opened or made: whoever named it, or the machine. */
#ifndef IO_TEXT_PATH_STATUS_H
#define IO_TEXT_PATH_STATUS_H

#include "abut/status.h"

/* Of an errno: ABUT_ERROR_ARGUMENT when another path would do, ABUT_ERROR_IO (a full disk, say) or ABUT_ERROR_MEMORY
 * when the same one may do another day. */
AbutStatus abut_path_status(int reason);

#endif
