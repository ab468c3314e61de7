/* Writes the replay page of a run. Tested in tests/cli/view/view.c. */
#include "cli/run/page.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/common/report.h"
#include "cli/view/bundle.h"
#include "io/text/file_text.h"
#include "io/view/view.h"

/* Largest number of bodies times steps for which a page is written without --view. Reading the run takes some 300 bytes
 * for each. */
static const long most_states = 2000000;

bool abut_run_page_check(const AbutRunPage *page)
{
	char bundle[ABUT_BUNDLE_PATH_SIZE];
	if (page->wanted && page->unwanted) {
		return abut_deny("run: --view and --no-view cannot be combined");
	}
	if (page->wanted && !abut_bundle_find(bundle)) {
		return abut_deny("run: --view: %s", abut_bundle_advice);
	}
	return true;
}

static int write_page(const AbutRunPage *page, const char *bundle, const char *out)
{
	const AbutViewOptions options = {
	    .bundle = bundle, .out = out, .replaces_link = true, .n_runs = 1, .folders = {page->folder, NULL}};
	AbutError error = {0};
	const AbutStatus status = abut_view_write(&options, NULL, &error);
	return status == ABUT_OK ? ABUT_EXIT_DONE : abut_report_error(&error, ABUT_EXIT_MACHINE);
}

/* Returns why no page is written; NULL if one is written. */
static const char *find_reason(const AbutRunPage *page, char bundle[ABUT_BUNDLE_PATH_SIZE])
{
	if (!abut_bundle_find(bundle)) {
		return abut_bundle_advice;
	}
	if (!page->wanted && page->states > most_states) {
		return "the run is long; use --view, or `abut view` with its folder";
	}
	return NULL;
}

int abut_run_page_write(const AbutRunPage *page, const char **missing)
{
	char bundle[ABUT_BUNDLE_PATH_SIZE];
	*missing = NULL;
	if (!page->folder) {
		return ABUT_EXIT_DONE;
	}
	char *const out = abut_path_join(page->folder, "replay.html");
	if (!out) {
		return abut_report_memory();
	}
	int exit_status = ABUT_EXIT_DONE;
	*missing = page->unwanted ? NULL : find_reason(page, bundle);
	if (page->unwanted || *missing) {
		remove(out); /* a page of an earlier run in this folder */
	} else {
		exit_status = write_page(page, bundle, out);
		*missing = exit_status == ABUT_EXIT_DONE ? NULL : "it cannot be written";
	}
	free(out);
	return exit_status;
}
