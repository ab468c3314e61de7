/* Free bodies of robot models, URDF and MJCF, as a scene (docs/exchange.md). */
#ifndef IO_IMPORT_IMPORT_H
#define IO_IMPORT_IMPORT_H

#include <stdio.h>

#include "abut/shape.h"

/* Something that the scene does not have. */
typedef struct AbutImportNote {
	const char *file; /* lives as long as the model */
	int line;
	char *text;
} AbutImportNote;

typedef struct AbutImport AbutImport;

/* Reads the model `path`, told apart by its root element: <robot> is URDF, <mujoco> is MJCF. ABUT_ERROR_IO: a file
 * cannot be read; ABUT_ERROR_PARSE, with file and line: it is no such model, or a value is wrong;
 * ABUT_ERROR_UNSUPPORTED: nothing in it can be a scene. */
AbutStatus abut_import_read(const char *path, AbutImport **out, AbutError *error);
void abut_import_free(AbutImport *import); /* NULL is fine */

int abut_import_body_count(const AbutImport *import);
/* In the order of the files; NULL past the last. */
const AbutImportNote *abut_import_note(const AbutImport *import, int i);

/* The scene as JSON. Mesh files are named from the folder `folder` ("": the present one; NULL: by absolute paths).
 * Errors of writing stay in the FILE. */
AbutStatus abut_import_write(const AbutImport *import, const char *folder, FILE *file, AbutError *error);

#endif
