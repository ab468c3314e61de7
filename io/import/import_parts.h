/* An import as its users see it. */
#ifndef IO_IMPORT_IMPORT_PARTS_H
#define IO_IMPORT_IMPORT_PARTS_H

/* Something that the scene leaves out. */
typedef struct AbutImportNote {
	const char *file; /* lives as long as the model */
	int line;
	char *text;
} AbutImportNote;

typedef struct AbutImport AbutImport;

#endif
