/* The replay page's bundle, which set-up makes where npm is there (scripts/view.sh). */
#ifndef CLI_BUNDLE_H
#define CLI_BUNDLE_H

#include <stdbool.h>

enum { ABUT_BUNDLE_PATH_SIZE = 4096 };

/* Its path: what the environment's ABUT_VIEW_BUNDLE says; else replay-page.html beside the command, as in a build
 * folder; else in share/abut of the tree that the command is installed in. False when none of them is there. */
bool abut_bundle_find(char path[ABUT_BUNDLE_PATH_SIZE]);

/* What to do then, after "the replay page's bundle is not there: ". */
extern const char abut_bundle_advice[];

#endif
