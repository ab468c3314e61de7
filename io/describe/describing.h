/* Holds a scene while it is written as a model, and writes attributes. */
#pragma once

#include <stdio.h>

#include "abut/collide.h"
#include "abut/model.h"
#include "io/describe/keyframe_out.h"
#include "io/describe/tree.h"

/* A part of the scene that the model leaves out or approximates. */
typedef struct AbutDescribeNote {
	const char *element; /* what it is, such as "joint" */
	const char *name;    /* its name; "": none */
	const char *text;    /* a sentence, begins with "left out" or "approximated" */
} AbutDescribeNote;

/* Receives notes. */
typedef struct AbutDescribeNotes {
	void *context;
	void (*write)(void *context, const AbutDescribeNote *note);
} AbutDescribeNotes;

/* A scene while it is being written. */
typedef struct AbutDescribing {
	FILE *file;
	const AbutModel *model;
	const AbutSceneDef *def;
	AbutState *state;
	AbutDescribedTree tree;
	const AbutDescribeNotes *notes;
	AbutDescribedKey *key; /* of MJCF */
} AbutDescribing;

/* Makes the state and the tree of a scene. Returns ABUT_OK or the reason; free it with abut_describe_close always. */
AbutStatus abut_describe_open(AbutDescribing *d, AbutError *error);
void abut_describe_close(AbutDescribing *d);
/* Writes ` name="v1 v2 ..."`, and a text with its special characters escaped. */
void abut_describe_numbers(FILE *file, const char *name, const double *values, int n);
void abut_describe_text(FILE *file, const char *name, const char *text);
/* Notes that a part of the scene is left out or approximated, as the text begins. */
__attribute__((format(printf, 4, 5))) void abut_describe_note(const AbutDescribing *d, const char *element,
                                                              const char *name, const char *format, ...);
/* Returns the pose of a body at the start. */
AbutPose abut_describe_pose(const AbutDescribing *d, int body);
/* Returns the coefficient of friction of a body. */
double abut_describe_friction(const AbutDescribing *d, int body);
