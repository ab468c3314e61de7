/* Declares the notes of an import. */
#ifndef IO_IMPORT_IMPORT_PARTS_H
#define IO_IMPORT_IMPORT_PARTS_H

/* A part of the model that the scene leaves out. */
typedef struct AbutImportNote {
	const char *file; /* valid as long as the import */
	int line;
	char *text;
} AbutImportNote;

typedef struct AbutImport AbutImport;

#endif
