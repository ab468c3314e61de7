/* abut export RUN */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "io/export/export.h"
#include "io/text/output_target.h"
#include "io/text/words.h"

/* The format of the name, or of the ending of `out` where no name is given; false after a line on stderr. */
static bool choose_format(const char *name, const char *out, AbutExportFormat *format)
{
	const char *const dot = out ? strrchr(out, '.') : NULL;
	const char *const given = name ? name : dot ? dot + 1 : "";
	char known[64];
	for (int i = 0; i < ABUT_EXPORT_COUNT; i++) {
		if (strcmp(given, abut_export_names[i]) == 0) {
			*format = (AbutExportFormat)i;
			return true;
		}
	}
	abut_text_join(abut_export_names, ABUT_EXPORT_COUNT, known, sizeof known);
	if (name) {
		abut_report("export: --format must be one of %s, is '%s'", known, name);
	} else {
		abut_report("export: --format must be given, one of %s, or --out end with one", known);
	}
	return false;
}

static AbutStatus write_file(const AbutRunRecord *record, AbutExportFormat format, const char *path, AbutError *error)
{
	AbutTarget target = {0};
	AbutStatus status = abut_target_open(&target, NULL, path, error);
	if (status == ABUT_OK) {
		status = abut_export(record, format, target.file, error);
	}
	return abut_target_end(&target, status, error);
}

/* `RUN/run.FORMAT`, or what was given; the caller's. */
static char *choose_path(const char *run, const char *out, AbutExportFormat format)
{
	const size_t size = strlen(run) + 16;
	char *const path = out ? strdup(out) : malloc(size);
	if (path && !out) {
		snprintf(path, size, "%s/run.%s", run, abut_export_names[format]);
	}
	return path;
}

static int export_run(const char *run, const char *out, AbutExportFormat format, bool quiet)
{
	AbutRunRecord record;
	AbutError error = {0};
	char *const path = choose_path(run, out, format);
	int exit_status = ABUT_EXIT_MACHINE;
	AbutStatus status = ABUT_ERROR_MEMORY;
	if (!path) {
		abut_report("out of memory");
		return exit_status;
	}
	status = abut_run_read(run, &record, &error);
	if (status != ABUT_OK) {
		exit_status = abut_report_error(&error, ABUT_EXIT_USAGE);
	} else {
		status = write_file(&record, format, path, &error);
		exit_status = status == ABUT_OK ? ABUT_EXIT_DONE : abut_report_error(&error, abut_exit_status(&error));
		if (status == ABUT_OK && !quiet && strncmp(path, "/dev/", 5) != 0) {
			printf("%s: %ld frames of %d bodies, %ld contacts\n", path, record.n_frames, record.n_bodies,
			       record.first_contact[record.n_frames]);
		}
		abut_run_record_free(&record);
	}
	free(path);
	return abut_finish_stdout(exit_status);
}

int abut_verb_export(int argc, char **argv)
{
	const char *format_name = NULL, *out = NULL, *run = NULL;
	bool quiet = false;
	AbutExportFormat format = ABUT_EXPORT_CSV;
	const AbutOption options[] = {
	    {"format", ABUT_OPTION_TEXT, &format_name},
	    {"out", ABUT_OPTION_TEXT, &out},
	    {"quiet", ABUT_OPTION_FLAG, &quiet},
	};
	int exit_status = ABUT_EXIT_USAGE;
	if (abut_args_parse("export", argc, argv, options, sizeof options / sizeof *options, 1, 1, &run,
	                    &exit_status)) {
		exit_status =
		    choose_format(format_name, out, &format) ? export_run(run, out, format, quiet) : ABUT_EXIT_USAGE;
	}
	return exit_status;
}
