/* Runs the verb `view`, which writes the replay page of one or two runs. Tested in tests/cli/view/view.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/args.h"
#include "cli/common/print.h"
#include "cli/common/report.h"
#include "cli/view/bundle.h"
#include "io/text/file_text.h"
#include "io/view/view.h"

enum { PATH_SIZE = 4096 };

typedef struct Options {
	bool json, quiet;
	const char *folders[ABUT_VIEW_MOST_RUNS], *out;
	unsigned long long every;
} Options;

/* Returns the default of --out, in the folder of the first run; the caller frees it. */
static char *default_out(const Options *options)
{
	const char *const name = options->folders[1] ? "side_by_side.html" : "replay.html";
	return abut_path_join(options->folders[0], name);
}

static void print_report(const Options *options, const char *out, const AbutViewReport *report)
{
	if (options->json) {
		abut_print_first("page", out);
		printf(", \"bytes\": %zu, \"every\": %ld, \"frames\": [%ld", report->bytes, report->every,
		       report->frames[0]);
		if (options->folders[1]) {
			printf(", %ld", report->frames[1]);
		}
		printf("]}\n");
	} else if (!options->quiet) {
		printf("%s: %.1f MB, %ld states", out, 1e-6 * (double)report->bytes, report->frames[0]);
		if (options->folders[1]) {
			printf(" and %ld", report->frames[1]);
		}
		if (report->every > 1) {
			printf(", one of every %ld", report->every);
		}
		printf("; open it in a browser\n");
	}
}

/* Checks that each folder holds a run, by its scene.json; reports the first that does not. */
static bool check_folders(const Options *options)
{
	for (int i = 0; i < ABUT_VIEW_MOST_RUNS && options->folders[i]; i++) {
		char path[PATH_SIZE];
		snprintf(path, sizeof path, "%s/scene.json", options->folders[i]);
		if (access(path, F_OK) != 0) {
			return abut_deny(
			    "view: '%s' is not the folder of a run: %s is missing; `abut run SCENE --out %s` "
			    "writes one",
			    options->folders[i], path, options->folders[i]);
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
		return abut_refuse("view: %s", abut_bundle_advice);
	}
	const AbutViewOptions view = {.bundle = bundle,
	                              .out = out,
	                              .replaces_link = !options->out,
	                              .n_runs = options->folders[1] ? 2 : 1,
	                              .folders = {options->folders[0], options->folders[1]},
	                              .every = (long)options->every};
	AbutViewReport report;
	AbutError error = {0};
	const AbutStatus status = abut_view_write(&view, &report, &error);
	if (status != ABUT_OK) {
		/* A run that cannot be read is the caller's fault; for the page the status decides. */
		const bool of_output = strcmp(error.file, out) == 0;
		return abut_report_error(&error, of_output ? abut_exit_status(&error) : ABUT_EXIT_USAGE);
	}
	print_report(options, out, &report);
	return abut_finish_stdout(ABUT_EXIT_DONE);
}

static int execute(const AbutVerb *verb, int argc, char **argv)
{
	Options options = {.json = false};
	const AbutOption table[] = {
	    {"out", ABUT_OPTION_TEXT, &options.out},
	    {"every", ABUT_OPTION_INTEGER, &options.every},
	    {"json", ABUT_OPTION_FLAG, &options.json},
	    {"quiet", ABUT_OPTION_FLAG, &options.quiet},
	};
	int exit_status = ABUT_EXIT_MACHINE;
	if (!abut_args_parse(verb, argc, argv, table, sizeof table / sizeof *table, options.folders, &exit_status)) {
		return exit_status;
	}
	char *const owned = options.out ? NULL : default_out(&options);
	if (!options.out && !owned) {
		return abut_report_memory();
	}
	exit_status = write_page(&options, options.out ? options.out : owned);
	free(owned);
	return exit_status;
}

const AbutVerb abut_verb_view = {
    .name = "view",
    .summary = "write the replay page of a run, or of two runs side by side",
    .help = "usage: abut view DIR [DIR] [--out FILE.html] [--every N] [--json] [--quiet]\n"
            "\n"
            "Writes the replay page of a run as one HTML file: the scene in 3D with its contacts and forces, and\n"
            "plots that follow the time of the scene. DIR is a folder written by `abut run --out`. The page opens\n"
            "in any browser, offline, and needs no other file. With a second folder it shows two runs side by\n"
            "side, for example one scene with two methods.\n"
            "\n"
            "  --out FILE.html   the page (default: DIR/replay.html, for two runs DIR/side_by_side.html)\n"
            "  --every N         shows every N-th state (default 0: all, or as many as fit into 20 MB)\n"
            "  --json            prints path, size and number of states as one JSON object\n"
            "  --quiet           prints only errors\n"
            "\n"
            "The page needs a bundle that `make build` creates if npm is installed (scripts/view.sh\n"
            "BUILD_FOLDER creates the bundle alone). It is searched for in ABUT_VIEW_BUNDLE, next to the command,\n"
            "and in share/abut of an installation.\n"
            "\n"
            "Exit status: 0 done, 2 the call or a run's folder is wrong, or the bundle is missing, 3 system error\n"
            "(memory, disk).\n",
    .argument = "run folder",
    .min_arguments = 1,
    .max_arguments = ABUT_VIEW_MOST_RUNS,
    .run = execute};
