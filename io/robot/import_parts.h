/* Declares the notes of an import. */
#pragma once

#include <stdbool.h>

/* What to take of a model that gives a choice. */
typedef struct AbutImportOptions {
	const char *keyframe; /* name of a <key> of MJCF, or its number from 0; NULL: the model's own pose */
	bool visual;          /* URDF: links without <collision> collide by their <visual> */
} AbutImportOptions;

/* A part of the model that the scene leaves out or approximates, as the text says first. */
typedef struct AbutImportNote {
	const char *file;    /* valid as long as the import */
	const char *element; /* its tag; valid as long as the import */
	int line, count;     /* count: elements that the note is about */
	char *text;
} AbutImportNote;

/* What became of the elements of a kind. */
typedef struct AbutImportElement {
	const char *tag;               /* valid as long as the import */
	int n, approximated, left_out; /* all; with a note each, at most n */
} AbutImportElement;

/* Sizes of the scene. */
typedef struct AbutImportCounts {
	int bodies, joints, loops, motors, couplings, sites, sensors; /* loops: joints that close one */
} AbutImportCounts;

typedef struct AbutImport AbutImport;
