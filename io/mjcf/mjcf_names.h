/* Notes elements of MJCF that are left out, and the names in them that no element has. */
#pragma once

#include "io/mjcf/mjcf_values.h"

/* Notes that an element of `section` (NULL: not mentioned) is left out: because it, its parts or its tendon name
 * something that does not exist, with the nearest name, or otherwise for the reason `why`. */
void abut_mjcf_leave_out(const AbutMjcf *mjcf, const AbutXml *at, const char *section, const char *why);
