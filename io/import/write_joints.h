/* Writes the joints of an import. */
#pragma once

#include <stdio.h>

#include "io/import/model_parts.h"

/* Writes `, "joints": [...]`, or nothing if there are none. */
void abut_import_write_joints(FILE *file, const AbutImport *import);
