/* Reads and writes the rows of a table by the number of their run. */
#include "experiments/sweep/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/grow.h"
#include "experiments/sweep/text.h"
#include "io/text/file_text.h"
#include "io/text/output_target.h"
#include "io/text/words.h"

static const size_t max_bytes = (size_t)1 << 40;

AbutStatus abut_sweep_lines_init(AbutSweepLines *lines, long n_runs, AbutError *error)
{
	*lines = (AbutSweepLines){.n_runs = n_runs};
	lines->rows = calloc((size_t)n_runs, sizeof *lines->rows);
	return lines->rows ? ABUT_OK : abut_sweep_fail_memory(error);
}

void abut_sweep_lines_free(AbutSweepLines *lines)
{
	for (int i = 0; i < lines->n_texts; i++) {
		free(lines->texts[i]);
	}
	free(lines->texts);
	free(lines->rows);
	free(lines->header);
	*lines = (AbutSweepLines){.n_runs = 0};
}

/* Returns the run at the start of a row, or -1. */
static long run_of(const char *row, long n_runs)
{
	char *end = NULL;
	errno = 0;
	const long run = strtol(row, &end, 10);
	return end != row && row[0] >= '0' && row[0] <= '9' && *end == ',' && errno == 0 && run < n_runs ? run : -1;
}

static AbutStatus take_header(AbutSweepLines *lines, const char *path, const char *header, AbutError *error)
{
	if (!lines->header) {
		lines->header = abut_text_format("%s", header);
		return lines->header ? ABUT_OK : abut_sweep_fail_memory(error);
	}
	return strcmp(lines->header, header) == 0
	           ? ABUT_OK
	           : abut_file_fail(error, path, ABUT_ERROR_ARGUMENT, "the columns are those of another sweep");
}

/* Cuts `text` into its lines. */
static AbutStatus take_lines(AbutSweepLines *lines, const char *path, char *text, bool same, AbutError *error)
{
	long number = 0;
	AbutStatus status = ABUT_OK;
	for (char *end; status == ABUT_OK && (end = strchr(text, '\n')); text = end + 1) {
		*end = '\0';
		number++;
		if (number == 1) {
			status = take_header(lines, path, text, error);
			continue;
		}
		const long run = run_of(text, lines->n_runs);
		if (run < 0) {
			status = abut_file_fail(error, path, ABUT_ERROR_ARGUMENT, "line %ld is not a row of this sweep",
			                        number);
		} else if (same && lines->rows[run] && strcmp(lines->rows[run], text) != 0) {
			status = abut_file_fail(error, path, ABUT_ERROR_ARGUMENT,
			                        "line %ld has other results of run %ld than another file", number, run);
		} else {
			lines->rows[run] = text;
		}
	}
	return status;
}

AbutStatus abut_sweep_lines_read(AbutSweepLines *lines, const char *path, bool same, AbutError *error)
{
	struct stat info;
	char *text = NULL;
	size_t length = 0;
	const bool is_there = stat(path, &info) == 0 || errno != ENOENT;
	if (!is_there) {
		return ABUT_OK;
	}
	if (!abut_grow(&lines->texts, &lines->capacity, lines->n_texts + 1, sizeof *lines->texts)) {
		return abut_sweep_fail_memory(error);
	}
	ABUT_TRY(abut_file_read(path, "table", max_bytes, &text, &length, error));
	lines->texts[lines->n_texts++] = text;
	return take_lines(lines, path, text, same, error);
}

AbutStatus abut_sweep_lines_write(const AbutSweepLines *lines, const AbutSweepLines *only, const char *folder,
                                  const char *name, AbutError *error)
{
	AbutTarget target = {NULL};
	AbutStatus status = abut_target_open(&target, folder, name, error);
	if (status == ABUT_OK) {
		fprintf(target.file, "%s\n", lines->header);
		for (long i = 0; i < lines->n_runs; i++) {
			if (lines->rows[i] && (!only || only->rows[i])) {
				fprintf(target.file, "%s\n", lines->rows[i]);
			}
		}
	}
	return abut_target_end_synced(&target, status, error);
}
