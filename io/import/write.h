/* Writes an imported model as a scene file. */
#pragma once

#include <stdio.h>

#include "abut/status.h"
#include "io/robot/import_parts.h"

/* Writes the scene as JSON. Paths of mesh files are relative to `folder`, where "" is the current folder, or absolute
 * if `folder` is NULL. Errors of writing remain in the FILE (ferror). */
AbutStatus abut_import_write(const AbutImport *import, const char *folder, FILE *file, AbutError *error);
