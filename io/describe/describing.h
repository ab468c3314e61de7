/* Holds a scene while it is written as a model, and writes attributes. */
#pragma once

#include <stdio.h>

#include "abut/collide.h"
#include "abut/model.h"
#include "io/describe/tree.h"

/* What could not be written; `write` is called with a line of text, such as "left out: ...". */
typedef struct AbutDescribeNotes {
	void *context;
	void (*write)(void *context, const char *text);
} AbutDescribeNotes;

/* A scene while it is being written. */
typedef struct AbutDescribing {
	FILE *file;
	const AbutModel *model;
	const AbutSceneDef *def;
	AbutState *state;
	AbutDescribedTree tree;
	const AbutDescribeNotes *notes;
} AbutDescribing;

/* Writes ` name="v1 v2 ..."`, and a text with its special characters escaped. */
void abut_describe_numbers(FILE *file, const char *name, const double *values, int n);
void abut_describe_text(FILE *file, const char *name, const char *text);
/* Notes that a part is left out or approximated. */
__attribute__((format(printf, 2, 3))) void abut_describe_note(const AbutDescribing *d, const char *format, ...);
/* Returns the pose of a body at the start. */
AbutPose abut_describe_pose(const AbutDescribing *d, int body);
