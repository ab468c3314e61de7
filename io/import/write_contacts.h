/* Writes which bodies of an import touch. */
#pragma once

#include <stdio.h>

#include "io/robot/model_parts.h"

void abut_import_write_contacts(FILE *file, const AbutImport *import);
