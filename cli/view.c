/* abut view DIR [DIR] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/bundle.h"
#include "cli/cli.h"
#include "io/text/number.h"
#include "io/view/view.h"

enum { PATH_SIZE = 4096 };

typedef struct Options {
	bool json, quiet;
	const char *folders[ABUT_VIEW_MOST_RUNS], *out;
	unsigned long long every;
} Options;

/* The page's file when --out is left out, the caller's: in the folder of the first run. */
static char *default_out(const Options *options)
{
	const char *const name = options->folders[1] ? "side_by_side.html" : "replay.html";
	const size_t size = strlen(options->folders[0]) + strlen(name) + 2;
	char *const path = malloc(size);
	if (path) {
		snprintf(path, size, "%s/%s", options->folders[0], name);
	}
	return path;
}

static void print_report(const Options *options, const char *out, const AbutViewReport *report)
{
	if (options->json) {
		fputs("{\"page\": ", stdout);
		abut_json_write_string(stdout, out);
		printf(", \"bytes\": %zu, \"every\": %ld, \"frames\": [%ld", report->bytes, report->every,
		       report->frames[0]);
		if (options->folders[1]) {
			printf(", %ld", report->frames[1]);
		}
		printf("]}\n");
	} else if (!options->quiet) {
		printf("%s: %.1f MB, %ld states", out, 1e-6 * (double)report->bytes, report->frames[0]);
		if (options->folders[1]) {
			printf(" beside %ld", report->frames[1]);
		}
		if (report->every > 1) {
			printf(", one of every %ld", report->every);
		}
		printf("; it opens in any browser, offline\n");
	}
}

/* Whether the folders are those of runs, by the file that is read first; otherwise a line on stderr. */
static bool check_folders(const Options *options)
{
	for (int i = 0; i < ABUT_VIEW_MOST_RUNS && options->folders[i]; i++) {
		char path[PATH_SIZE];
		snprintf(path, sizeof path, "%s/scene.json", options->folders[i]);
		if (access(path, F_OK) != 0) {
			abut_report(
			    "view: '%s' is no folder of a run: there is no %s; `abut run SCENE --out %s` writes one",
			    options->folders[i], path, options->folders[i]);
			return false;
		}
	}
	return true;
}

static int write_page(const Options *options, const char *out)
{
	char bundle[ABUT_BUNDLE_PATH_SIZE];
	if (!check_folders(options)) {
		return ABUT_EXIT_USAGE;
	}
	if (!abut_bundle_find(bundle)) {
		abut_report("view: %s", abut_bundle_advice);
		return ABUT_EXIT_USAGE;
	}
	const AbutViewOptions view = {
	    bundle, out, options->folders[1] ? 2 : 1, {options->folders[0], options->folders[1]}, (long)options->every};
	AbutViewReport report;
	AbutError error = {0};
	const AbutStatus status = abut_view_write(&view, &report, &error);
	if (status != ABUT_OK) {
		/* What cannot be read is the call's fault; what cannot be written, as the system says. */
		const bool of_output = strcmp(error.file, out) == 0;
		return abut_report_error(&error, of_output ? abut_exit_status(&error) : ABUT_EXIT_USAGE);
	}
	print_report(options, out, &report);
	return abut_finish_stdout(ABUT_EXIT_DONE);
}

int abut_verb_view(int argc, char **argv)
{
	Options options = {.json = false};
	const AbutOption table[] = {
	    {"out", ABUT_OPTION_TEXT, &options.out},
	    {"every", ABUT_OPTION_NUMBER, &options.every},
	    {"json", ABUT_OPTION_FLAG, &options.json},
	    {"quiet", ABUT_OPTION_FLAG, &options.quiet},
	};
	int exit_status = ABUT_EXIT_MACHINE;
	if (!abut_args_parse("view", argc, argv, table, sizeof table / sizeof *table, 1, 2, options.folders,
	                     &exit_status)) {
		return exit_status;
	}
	char *const owned = options.out ? NULL : default_out(&options);
	if (!options.out && !owned) {
		abut_report("out of memory");
		return ABUT_EXIT_MACHINE;
	}
	exit_status = write_page(&options, options.out ? options.out : owned);
	free(owned);
	return exit_status;
}
