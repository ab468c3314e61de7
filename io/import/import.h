/* Reads robot models in URDF or MJCF; their bodies and joints become a scene (docs/exchange.md). */
#pragma once

#include "abut/status.h"
#include "io/robot/import_parts.h"

/* Reads the model `path`: URDF if its root element is <robot>, MJCF if it is <mujoco>. Returns ABUT_ERROR_IO if a file
 * cannot be read, and ABUT_ERROR_PARSE, with file and line, if it is no such model or a value is wrong. Returns
 * ABUT_ERROR_UNSUPPORTED if no part of it can be in a scene. `options` may be NULL: the defaults. */
AbutStatus abut_import_read(const char *path, const AbutImportOptions *options, AbutImport **out, AbutError *error);
void abut_import_free(AbutImport *import); /* `import` may be NULL */

/* Returns note `i`, in the order of the files, or NULL past the last note. */
const AbutImportNote *abut_import_note(const AbutImport *import, int i);
