/* Makes the scene of an import. */
#pragma once

#include <stdbool.h>

#include "abut/io.h"
#include "io/robot/import_parts.h"

/* A scene that was made of an import; abut_made_free frees it. */
typedef struct AbutMade {
	char *text; /* of the scene file */
	size_t length;
	AbutScene *scene;
} AbutMade;

/* Writes the import as the scene file `name` (for messages), with mesh paths relative to `folder` (abut_import_write),
 * parses it, checks that it makes a model, and mends its start (abut_import_settle). */
AbutStatus abut_import_make(AbutImport *import, const char *folder, const char *name, bool lifts, AbutMade *out,
                            AbutError *error);
void abut_made_free(AbutMade *made);
