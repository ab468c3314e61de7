/* Writes the joints of an import. */
#pragma once

#include <stdio.h>

#include "io/robot/model_parts.h"

/* Writes `, "joints": [...]`, the couplings and initial coordinates, or nothing if there are no joints. */
void abut_import_write_joints(FILE *file, const AbutImport *import);
