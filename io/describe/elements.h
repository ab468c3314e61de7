/* Writes elements of MJCF. */
#pragma once

#include <stdio.h>

#include "io/describe/mjcf_out.h"
#include "io/describe/tree.h"
#include "io/robot/pose.h"

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
/* Writes <inertial> and the <geom> of a body. */
void abut_describe_solids(const AbutDescribing *d, int body);
/* Writes the <mesh> assets of polytopes. */
void abut_describe_meshes(const AbutDescribing *d);
/* Writes the <joint> elements by which joint `i` carries its child, or <freejoint> if it is -1. */
void abut_describe_joint(const AbutDescribing *d, int i);
/* Writes <actuator>, <equality> and <contact>. */
void abut_describe_laws(const AbutDescribing *d);
