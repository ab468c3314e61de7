/* Notes elements and attributes that MJCF does not have. */
#pragma once

#include "io/mjcf/mjcf_values.h"

/* Notes each unknown name once, in the sections that the importer reads. */
void abut_mjcf_note_unknown(const AbutMjcf *mjcf);
