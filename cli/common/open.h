/* Opens the scene of a call, with the changes of --set PATH=VALUE and --method M. */
#pragma once

#include "abut/abut.h"
#include "cli/common/args.h"

/* The values of the two options; --method M is --set solver.method=M after all others. */
typedef struct AbutSceneChanges {
	const char *method; /* NULL: not given */
	AbutTextList overrides;
	char *owned; /* the override that --method is */
} AbutSceneChanges;

/* Adds --method to the overrides; call it once. Returns ABUT_EXIT_DONE, or another exit status after a message: there
 * is no such method, or memory ran out. */
int abut_changes_check(AbutSceneChanges *changes);
void abut_changes_free(AbutSceneChanges *changes);

/* Loads the scene and creates its model. Returns ABUT_EXIT_DONE, or another exit status. In that case neither is
 * created, and `error` is filled but not reported. */
int abut_open_scene(const char *path, const AbutTextList *overrides, AbutScene **scene, AbutModel **model,
                    AbutError *error);
/* What abut_scene_review finds in a scene. */
typedef struct AbutReview {
	int n;
	AbutError warnings[ABUT_REVIEW_MAX]; /* (n), with their places in the file */
} AbutReview;

/* Reviews a valid scene and, unless `quiet`, reports its warnings and those of the review. Returns ABUT_EXIT_DONE, or
 * another exit status after a message. */
int abut_review(const AbutScene *scene, const AbutModel *model, bool quiet, AbutReview *out);

/* Loads the scene with all changes, creates its model, and reports an error. */
int abut_changes_open(const AbutSceneChanges *changes, const char *path, AbutScene **scene, AbutModel **model);
