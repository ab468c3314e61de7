/* Finds the bundle of the replay page, which set-up creates if npm is installed (scripts/view.sh). */
#pragma once

#include <stdbool.h>

enum { ABUT_BUNDLE_PATH_SIZE = 4096 };

/* Finds the bundle: the path in the environment variable ABUT_VIEW_BUNDLE if set; else replay-page.html next to the
 * command, as in a build folder; else in share/abut of the installation. Returns false if it is missing. */
bool abut_bundle_find(char path[ABUT_BUNDLE_PATH_SIZE]);

/* The message for a missing bundle. */
extern const char abut_bundle_advice[];
