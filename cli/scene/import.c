/* Runs the verb `import`, which converts a robot model to a scene. Tested in tests/cli/scene/import.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/common/args.h"
#include "cli/common/print.h"
#include "cli/common/report.h"
#include "io/import/import.h"
#include "io/import/make.h"
#include "io/import/report.h"
#include "io/text/output_target.h"

/* Returns the folder of `path`, "" for the current one; the caller frees it. */
static char *folder_of(const char *path)
{
	const char *const slash = strrchr(path, '/');
	char *const folder = strdup(path);
	if (folder) {
		folder[slash ? (slash == path ? 1 : slash - path) : 0] = '\0';
	}
	return folder;
}

typedef struct Options {
	bool json, quiet, lifts;
	const char *model, *out;
	AbutImportOptions take;
} Options;

static AbutStatus write_out(const char *text, size_t length, const char *out, AbutError *error)
{
	AbutTarget target = {0};
	AbutStatus status = abut_target_open(&target, NULL, out, error);
	if (status == ABUT_OK) {
		fwrite(text, 1, length, target.file);
	}
	return abut_target_end(&target, status, error);
}

static void report_notes(const AbutImport *import)
{
	for (int i = 0; abut_import_note(import, i); i++) {
		const AbutImportNote *note = abut_import_note(import, i);
		abut_report("%s:%d: %s", note->file, note->line, note->text);
	}
}

/* Prints the notes that say, or do not say, that something is left out. */
static void print_notes(const AbutImport *import, const char *key, bool left_out)
{
	static const char out[] = "left out";
	int printed = 0;
	printf(", \"%s\": [", key);
	for (int i = 0; abut_import_note(import, i); i++) {
		const AbutImportNote *note = abut_import_note(import, i);
		if ((strncmp(note->text, out, sizeof out - 1) == 0) == left_out) {
			fputs(printed++ > 0 ? ", " : "", stdout);
			abut_print_first("file", note->file);
			printf(", \"line\": %d", note->line);
			abut_print_text("element", note->element);
			abut_print_text("text", note->text);
			putchar('}');
		}
	}
	putchar(']');
}

static void print_elements(const AbutImportElement *elements, int n)
{
	fputs(", \"elements\": [", stdout);
	for (int i = 0; i < n; i++) {
		fputs(i > 0 ? ", " : "", stdout);
		abut_print_first("element", elements[i].tag);
		printf(", \"count\": %d, \"kept\": %d, \"approximated\": %d, \"left_out\": %d}", elements[i].n,
		       elements[i].n - elements[i].left_out, elements[i].approximated, elements[i].left_out);
	}
	putchar(']');
}

static AbutStatus print_object(const AbutImport *import, const Options *options, AbutError *error)
{
	const AbutImportCounts counts = abut_import_counts(import);
	AbutImportElement *elements = NULL;
	int n = 0;
	if (abut_import_elements(import, &elements, &n) != ABUT_OK) {
		free(elements);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory");
	}
	abut_print_first("scene", options->out);
	printf(", \"bodies\": %d, \"joints\": %d, \"loops\": %d, \"motors\": %d, \"couplings\": %d, \"sites\": %d, "
	       "\"sensors\": %d",
	       counts.bodies, counts.joints, counts.loops, counts.motors, counts.couplings, counts.sites,
	       counts.sensors);
	print_elements(elements, n);
	print_notes(import, "approximated", false);
	print_notes(import, "left_out", true);
	puts("}");
	free(elements);
	return ABUT_OK;
}

static void print_counts(const AbutImport *import, const char *out)
{
	const AbutImportCounts counts = abut_import_counts(import);
	printf("%s: %d bod%s", out, counts.bodies, counts.bodies == 1 ? "y" : "ies");
	abut_print_count(counts.joints, "joint", ", ", "");
	abut_print_count(counts.motors, "motor", ", ", "");
	abut_print_count(counts.couplings, "coupling", ", ", "");
	abut_print_count(counts.sites, "site", ", ", "");
	abut_print_count(counts.sensors, "sensor", ", ", "");
	putchar('\n');
}

static int convert(AbutImport *import, const Options *options)
{
	AbutError error = {0};
	AbutMade made = {.text = NULL};
	const char *const out = options->out;
	char *const folder = out ? folder_of(out) : NULL;
	if (out && !folder) {
		return abut_report_memory();
	}
	AbutStatus status = abut_import_make(import, folder, out ? out : "scene.json", options->lifts, &made, &error);
	if (status == ABUT_OK && !options->quiet) {
		if (!options->json) {
			report_notes(import);
		}
		abut_report_warnings(made.scene);
	}
	if (status == ABUT_OK && out) {
		status = write_out(made.text, made.length, out, &error);
	} else if (status == ABUT_OK) {
		fwrite(made.text, 1, made.length, stdout);
	}
	if (status == ABUT_OK && options->json) {
		status = print_object(import, options, &error);
	} else if (status == ABUT_OK && out && !options->quiet) {
		print_counts(import, out);
	}
	abut_made_free(&made);
	free(folder);
	return abut_report_output(status, &error);
}

static int execute(const AbutVerb *verb, int argc, char **argv)
{
	Options options = {.json = false};
	const AbutOption table[] = {
	    {"out", ABUT_OPTION_TEXT, &options.out},
	    {"keyframe", ABUT_OPTION_TEXT, &options.take.keyframe},
	    {"visual", ABUT_OPTION_FLAG, &options.take.visual},
	    {"lift", ABUT_OPTION_FLAG, &options.lifts},
	    {"json", ABUT_OPTION_FLAG, &options.json},
	    {"quiet", ABUT_OPTION_FLAG, &options.quiet},
	};
	int exit_status = ABUT_EXIT_USAGE;
	if (!abut_args_parse(verb, argc, argv, table, sizeof table / sizeof *table, &options.model, &exit_status)) {
		return exit_status;
	}
	if (options.json && !options.out) {
		return abut_refuse("import: --json needs --out: without it the standard output holds the scene");
	}
	AbutImport *import = NULL;
	AbutError error = {0};
	if (abut_import_read(options.model, &options.take, &import, &error) != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_USAGE);
	}
	exit_status = convert(import, &options);
	abut_import_free(import);
	return abut_finish_stdout(exit_status);
}

const AbutVerb abut_verb_import = {
    .name = "import",
    .summary = "convert a robot model (URDF, MJCF) to a scene",
    .help =
        "usage: abut import MODEL.urdf|MODEL.xml [-o SCENE.json] [--keyframe KEY] [--visual] [--lift]\n"
        "                   [--json] [--quiet]\n"
        "\n"
        "Reads a robot model, URDF or MJCF, and writes its bodies, joints and motors as a scene. Elements that\n"
        "are left out or approximated are listed on stderr with their lines: spatial tendons, geometry that is\n"
        "only for display, and others.\n"
        "\n"
        "  --out FILE, -o FILE\n"
        "                    the scene file; paths of meshes are relative to its folder (default: prints the\n"
        "                    scene)\n"
        "  --keyframe KEY    MJCF: starts at the <key> of this name, or of this number from 0 (default: the model's\n"
        "                    own pose)\n"
        "  --visual          URDF: links without <collision> collide by their <visual>\n"
        "  --lift            raises robots and free bodies that start within static ones; parts of a robot that\n"
        "                    overlap at the start never touch (URDF: always)\n"
        "  --json            with --out: prints the results and the unsupported elements as one JSON object\n"
        "  --quiet           prints only the scene and errors\n"
        "\n"
        "Exit status: 0 done, 2 the call or the model is wrong, or no body is left, 3 system error (memory,\n"
        "disk).\n",
    .argument = "model",
    .min_arguments = 1,
    .max_arguments = 1,
    .run = execute};
