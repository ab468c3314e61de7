/* Writes the sites and sensors of an import. */
#pragma once

#include <stdio.h>

#include "io/robot/model_parts.h"

void abut_import_write_sensors(FILE *file, const AbutImport *import);
