/* Declares the notes of an import. */
#pragma once

/* A part of the model that the scene leaves out. */
typedef struct AbutImportNote {
	const char *file; /* valid as long as the import */
	int line;
	char *text;
} AbutImportNote;

typedef struct AbutImport AbutImport;
