/* abut import MODEL */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/json_print.h"
#include "io/import/import.h"
#include "io/import/write.h"
#include "io/text/number.h"
#include "io/text/output_target.h"

/* The folder that `path` stands in, "" for the present one; the caller's. */
static char *folder_of(const char *path)
{
	const char *const slash = strrchr(path, '/');
	char *const folder = strdup(path);
	if (folder) {
		folder[slash ? (slash == path ? 1 : slash - path) : 0] = '\0';
	}
	return folder;
}

/* The scene as text, the caller's, as it will be read: it must be one. */
static AbutStatus make_text(const AbutImport *import, const char *folder, char **text, size_t *length, AbutError *error)
{
	*text = NULL;
	FILE *const stream = open_memstream(text, length);
	AbutStatus status = ABUT_ERROR_MEMORY;
	if (stream) {
		status = abut_import_write(import, folder, stream, error);
		status = fclose(stream) == 0 ? status : ABUT_ERROR_MEMORY;
	}
	if (status == ABUT_ERROR_MEMORY) {
		error->status = status;
		snprintf(error->message, sizeof error->message, "out of memory");
	}
	return status;
}

static AbutStatus check_text(const char *text, size_t length, const char *out, bool quiet, AbutError *error)
{
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	AbutStatus status = abut_scene_parse(text, length, out ? out : "scene.json", 0, NULL, &scene, error);
	if (status == ABUT_OK) {
		status = abut_model_create(abut_scene_def(scene), &model, error);
		if (status != ABUT_OK) {
			abut_scene_locate(scene, error);
		}
	}
	if (status == ABUT_OK && !quiet) {
		abut_report_warnings(scene);
	}
	abut_model_destroy(model);
	abut_scene_destroy(scene);
	return status;
}

static AbutStatus write_out(const char *text, size_t length, const char *out, AbutError *error)
{
	AbutTarget target = {0};
	AbutStatus status = abut_target_open(&target, NULL, out, error);
	if (status == ABUT_OK) {
		fwrite(text, 1, length, target.file);
	}
	return abut_target_end(&target, status, error);
}

typedef struct Options {
	bool json, quiet;
	const char *model, *out;
} Options;

static void tell_notes(const AbutImport *import)
{
	for (int i = 0; abut_import_note(import, i); i++) {
		const AbutImportNote *note = abut_import_note(import, i);
		abut_report("%s:%d: %s", note->file, note->line, note->text);
	}
}

static void print_object(const AbutImport *import, const Options *options)
{
	printf("{\"scene\": ");
	abut_json_write_string(stdout, options->out);
	printf(", \"bodies\": %d, \"left_out\": [", abut_import_body_count(import));
	for (int i = 0; abut_import_note(import, i); i++) {
		const AbutImportNote *note = abut_import_note(import, i);
		printf("%s{\"file\": ", i > 0 ? ", " : "");
		abut_json_write_string(stdout, note->file);
		printf(", \"line\": %d", note->line);
		abut_print_text("text", note->text);
		putchar('}');
	}
	puts("]}");
}

static int convert(const AbutImport *import, const Options *options)
{
	AbutError error = {0};
	const char *const out = options->out;
	char *text = NULL, *const folder = out ? folder_of(out) : NULL;
	size_t length = 0;
	AbutStatus status = make_text(import, folder, &text, &length, &error);
	if (status == ABUT_OK) {
		status = check_text(text, length, out, options->quiet, &error);
	}
	if (status == ABUT_OK && out) {
		status = write_out(text, length, out, &error);
	} else if (status == ABUT_OK) {
		fwrite(text, 1, length, stdout);
	}
	if (status == ABUT_OK && options->json) {
		print_object(import, options);
	} else if (status == ABUT_OK && out && !options->quiet) {
		const int n = abut_import_body_count(import);
		printf("%s: %d bod%s\n", out, n, n == 1 ? "y" : "ies");
	}
	free(text);
	free(folder);
	return status == ABUT_OK ? ABUT_EXIT_DONE : abut_report_error(&error, abut_exit_status(&error));
}

int abut_verb_import(int argc, char **argv)
{
	Options options = {.json = false};
	const AbutOption table[] = {
	    {"out", ABUT_OPTION_TEXT, &options.out},
	    {"json", ABUT_OPTION_FLAG, &options.json},
	    {"quiet", ABUT_OPTION_FLAG, &options.quiet},
	};
	int exit_status = ABUT_EXIT_USAGE;
	if (!abut_args_parse("import", argc, argv, table, sizeof table / sizeof *table, 1, 1, &options.model,
	                     &exit_status)) {
		return exit_status;
	}
	if (options.json && !options.out) {
		abut_report("import: --json goes with --out: the standard output holds the scene");
		return ABUT_EXIT_USAGE;
	}
	AbutImport *import = NULL;
	AbutError error = {0};
	if (abut_import_read(options.model, &import, &error) != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_USAGE);
	}
	if (!options.quiet && !options.json) {
		tell_notes(import);
	}
	exit_status = convert(import, &options);
	abut_import_free(import);
	return abut_finish_stdout(exit_status);
}
