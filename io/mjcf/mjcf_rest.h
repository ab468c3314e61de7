/* Notes the parts of an MJCF model that a scene does not support. */
#pragma once

#include "io/mjcf/mjcf_values.h"

/* Notes unsupported sections, options, pairs and elements of bodies. */
void abut_mjcf_note_rest(AbutMjcf *mjcf);
