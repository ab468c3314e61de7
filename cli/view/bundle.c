/* Finds the bundle of the replay page. */
#include "cli/view/bundle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char abut_bundle_advice[] = "the bundle of the replay page is missing; `make build` creates it, or "
                                  "`scripts/view.sh BUILD_FOLDER` alone (needs npm)";

/* Finds the folder of the running command, without its last slash. */
static bool find_command(char folder[ABUT_BUNDLE_PATH_SIZE])
{
	const ssize_t n = readlink("/proc/self/exe", folder, ABUT_BUNDLE_PATH_SIZE - 1);
	if (n <= 0) {
		return false;
	}
	folder[n] = '\0';
	char *const slash = strrchr(folder, '/');
	if (slash) {
		*slash = '\0';
	}
	return slash != NULL;
}

bool abut_bundle_find(char path[ABUT_BUNDLE_PATH_SIZE])
{
	static const char *const places[] = {"replay-page.html", "../share/abut/replay-page.html"};
	const char *const given = getenv("ABUT_VIEW_BUNDLE");
	char folder[ABUT_BUNDLE_PATH_SIZE];
	if (given && given[0] != '\0') {
		const int n = snprintf(path, ABUT_BUNDLE_PATH_SIZE, "%s", given);
		return n < ABUT_BUNDLE_PATH_SIZE && access(path, R_OK) == 0;
	}
	for (size_t i = 0; find_command(folder) && i < sizeof places / sizeof *places; i++) {
		const int n = snprintf(path, ABUT_BUNDLE_PATH_SIZE, "%s/%s", folder, places[i]);
		if (n > 0 && n < ABUT_BUNDLE_PATH_SIZE && access(path, R_OK) == 0) {
			return true;
		}
	}
	return false;
}
