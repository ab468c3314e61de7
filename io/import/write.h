/* Writing an imported model as a scene file. */
#ifndef IO_IMPORT_WRITE_H
#define IO_IMPORT_WRITE_H

#include <stdio.h>

#include "abut/status.h"
#include "io/import/import_parts.h"

/* Writes the scene as JSON. Paths of mesh files are relative to `folder` ("": the present one; NULL: absolute). Errors
 * of writing stay in the FILE. */
AbutStatus abut_import_write(const AbutImport *import, const char *folder, FILE *file, AbutError *error);

#endif
