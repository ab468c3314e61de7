/* Notes the parts of an MJCF model that a scene does not support. */
#ifndef IO_IMPORT_MJCF_REST_H
#define IO_IMPORT_MJCF_REST_H

#include "io/import/mjcf_parts.h"

/* Notes unsupported sections, options, pairs and elements of bodies. */
void abut_mjcf_note_rest(AbutMjcf *mjcf);

#endif
