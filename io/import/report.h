/* Reports what became of the elements of a model. */
#pragma once

#include "abut/status.h"
#include "io/robot/import_parts.h"

/* Counts the elements of the model by tag, in alphabetical order, without those of defaults, assets and display.
 * `*out` is freed by the caller. Returns ABUT_ERROR_MEMORY, or ABUT_OK. */
AbutStatus abut_import_elements(const AbutImport *import, AbutImportElement **out, int *n);
AbutImportCounts abut_import_counts(const AbutImport *import);
