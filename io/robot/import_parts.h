/* Declares the notes of an import. */
#pragma once

#include <stdbool.h>

/* What to take of a model that gives a choice. */
typedef struct AbutImportOptions {
	const char *keyframe; /* name of a <key> of MJCF, or its number from 0; NULL: the model's own pose */
	bool visual;          /* URDF: links without <collision> collide by their <visual> */
} AbutImportOptions;

/* A part of the model that the scene leaves out. */
typedef struct AbutImportNote {
	const char *file; /* valid as long as the import */
	int line;
	char *text;
} AbutImportNote;

typedef struct AbutImport AbutImport;
