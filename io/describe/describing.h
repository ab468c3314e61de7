/* Holds a scene while it is written as a model, and writes attributes. */
#pragma once

#include <stdio.h>

#include "abut/collide.h"
#include "abut/model.h"
#include "io/describe/keyframe_out.h"
#include "io/describe/naming.h"
#include "io/describe/tree.h"

/* What becomes of a part of the scene that the model cannot hold. */
typedef enum AbutDescribeLoss { ABUT_LEFT_OUT, ABUT_APPROXIMATED } AbutDescribeLoss;

/* A part of the scene that the model leaves out or approximates. */
typedef struct AbutDescribeNote {
	AbutDescribeLoss loss;
	const char *element; /* what it is, such as "joint" */
	const char *name;    /* its name; "": none */
	const char *text;    /* a sentence, begins with "left out: " or "approximated: " */
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
	AbutNaming *names;
	const AbutDescribeNotes *notes;
	AbutDescribedKey *key; /* of MJCF */
} AbutDescribing;

/* Makes the state, the tree and the names of a scene, and notes bodies that change names. Returns ABUT_OK or the
 * reason; free it with abut_describe_close always. */
AbutStatus abut_describe_open(AbutDescribing *d, AbutError *error);
void abut_describe_close(AbutDescribing *d);
/* Writes ` name="v1 v2 ..."`, and a text with its special characters escaped. */
void abut_describe_numbers(FILE *file, const char *name, const double *values, int n);
void abut_describe_text(FILE *file, const char *name, const char *text);
/* Notes that a part of the scene is left out or approximated, with a text that follows this word. */
__attribute__((format(printf, 5, 6))) void abut_describe_note(const AbutDescribing *d, AbutDescribeLoss loss,
                                                              const char *element, const char *name, const char *format,
                                                              ...);
/* Notes an element whose name is another one in the model. */
void abut_describe_renamed(const AbutDescribing *d, const char *element, const char *name, const char *now);
/* Returns the status, or, if it is ABUT_OK and memory ran out for names, ABUT_ERROR_MEMORY. */
AbutStatus abut_describe_end(const AbutDescribing *d, AbutStatus status, AbutError *error);
/* Returns the pose of a body at the start. */
AbutPose abut_describe_pose(const AbutDescribing *d, int body);
/* Returns the coefficient of friction of a body. */
double abut_describe_friction(const AbutDescribing *d, int body);
