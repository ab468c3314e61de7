/* What a call changes of its scene: --set PATH=VALUE, and --method M, which is --set solver.method=M after all others.
 */
#ifndef CLI_CHANGES_H
#define CLI_CHANGES_H

#include "cli/cli.h"

/* Of the two options: `method` a text, `overrides` a list. */
typedef struct AbutSceneChanges {
	const char *method; /* NULL: not given */
	AbutTextList overrides;
	char *owned; /* the override that --method is */
} AbutSceneChanges;

/* Room for an override of each argument, and the method's. False after a line on stderr: no memory. To be freed in any
 * case. */
bool abut_changes_create(int argc, AbutSceneChanges *out);
void abut_changes_free(AbutSceneChanges *changes);

/* To be called once, with the arguments read. ABUT_EXIT_DONE, or another exit status after a line on stderr: no such
 * method, no memory. */
int abut_changes_check(AbutSceneChanges *changes);

/* The scene with the changes, and its model. ABUT_EXIT_DONE, or another exit status after a line on stderr, and neither
 * set. */
int abut_changes_open(const AbutSceneChanges *changes, const char *path, AbutScene **scene, AbutModel **model);

#endif
