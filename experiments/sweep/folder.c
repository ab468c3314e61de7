#include "experiments/sweep/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "experiments/sweep/spec.h"
#include "io/csv.h"
#include "io/file_text.h"

enum { RESULTS, TIMES };

AbutStatus abut_sweep_contents_init(AbutSweepContents *contents, long n_runs, AbutError *error)
{
	*contents = (AbutSweepContents){{{.n_runs = 0}}};
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < ABUT_SWEEP_TABLES; i++) {
		status = abut_sweep_lines_init(&contents->tables[i], n_runs, error);
	}
	if (status != ABUT_OK) {
		abut_sweep_contents_free(contents);
	}
	return status;
}

void abut_sweep_contents_free(AbutSweepContents *contents)
{
	for (int i = 0; i < ABUT_SWEEP_TABLES; i++) {
		abut_sweep_lines_free(&contents->tables[i]);
	}
}

/* The largest rank of which the folder has a table. */
static AbutStatus last_rank(const char *folder, int *last, AbutError *error)
{
	*last = 0;
	DIR *list = opendir(folder);
	if (!list) {
		return abut_file_fail(error, folder, ABUT_ERROR_IO, "cannot read the folder: %s", strerror(errno));
	}
	for (const struct dirent *entry; (entry = readdir(list));) {
		const char *dot = strchr(entry->d_name, '.');
		char *end = NULL;
		const long rank = dot ? strtol(dot + 1, &end, 10) : 0;
		if (rank > *last && rank < ABUT_SWEEP_MAX_RUNS && strcmp(end, ".csv") == 0) {
			*last = (int)rank;
		}
	}
	closedir(list);
	return ABUT_OK;
}

/* A run is made twice only when the first was not written, so that its results are the same; its times are not. */
AbutStatus abut_sweep_contents_read(AbutSweepContents *contents, const char *folder, AbutError *error)
{
	int last = 0;
	AbutStatus status = last_rank(folder, &last, error);
	for (int rank = 0; status == ABUT_OK && rank <= last; rank++) {
		for (int i = 0; status == ABUT_OK && i < ABUT_SWEEP_TABLES; i++) {
			char *const path = abut_sweep_table_path(folder, i, rank);
			status = path ? abut_sweep_lines_read(&contents->tables[i], path, i == RESULTS, error)
			              : abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the sweep");
			free(path);
		}
	}
	return status;
}

static AbutStatus remove_others(const char *folder, AbutError *error)
{
	int last = 0;
	const AbutStatus status = last_rank(folder, &last, error);
	for (int rank = 1; rank <= last; rank++) {
		for (int i = 0; i < ABUT_SWEEP_TABLES; i++) {
			char *const path = abut_sweep_table_path(folder, i, rank);
			if (path) {
				unlink(path);
			}
			free(path);
		}
	}
	return status;
}

AbutStatus abut_sweep_contents_write(const AbutSweepContents *contents, const char *folder, AbutError *error)
{
	const AbutSweepLines *results = &contents->tables[RESULTS], *times = &contents->tables[TIMES];
	AbutStatus status = ABUT_OK;
	if (times->header) {
		status = abut_sweep_lines_write(times, results, folder, "times.csv", error);
	}
	if (status == ABUT_OK && results->header) {
		status = abut_sweep_lines_write(results, NULL, folder, "runs.csv", error);
	}
	return status == ABUT_OK ? remove_others(folder, error) : status;
}

/* The place of the column, or -1. */
static int find_column(const char *header, const char *name)
{
	char *const copy = strdup(header);
	int place = -1, i = 0;
	for (char *at = copy; at; i++) {
		const char *field = abut_csv_next(&at);
		if (!field || strcmp(field, name) == 0) {
			place = field ? i : -1;
			break;
		}
	}
	free(copy);
	return place;
}

/* Whether field `column` of the row, which no quotes surround, is `word`. */
static bool field_is(const char *row, int column, const char *word)
{
	char *const copy = strdup(row);
	const char *field = NULL;
	char *at = copy;
	for (int i = 0; at && i <= column; i++) {
		field = abut_csv_next(&at);
		if (!field) {
			break;
		}
	}
	const bool is = field && strcmp(field, word) == 0;
	free(copy);
	return is;
}

void abut_sweep_contents_count(const AbutSweepContents *contents, AbutSweepCounts *counts)
{
	const AbutSweepLines *results = &contents->tables[RESULTS];
	const int column = results->header ? find_column(results->header, "outcome") : -1;
	*counts = (AbutSweepCounts){0, 0, 0, 0};
	for (long i = 0; i < results->n_runs; i++) {
		const char *row = results->rows[i];
		if (row) {
			counts->runs++;
			counts->done += field_is(row, column, abut_run_outcome_names[ABUT_RUN_DONE]);
			counts->failed += field_is(row, column, abut_run_outcome_names[ABUT_RUN_FAILED]);
			counts->refused += field_is(row, column, abut_run_outcome_names[ABUT_RUN_REFUSED]);
		}
	}
}

AbutStatus abut_sweep_folder_lock(const char *folder, int *lock, AbutError *error)
{
	*lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*lock < 0) {
		return abut_file_fail(error, folder, ABUT_ERROR_IO, "cannot read the folder: %s", strerror(errno));
	}
	/* Where the file system has no locks, there is none. */
	if (flock(*lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
		close(*lock);
		*lock = -1;
		return abut_file_fail(error, folder, ABUT_ERROR_ARGUMENT,
		                      "another process runs a sweep in this folder");
	}
	return ABUT_OK;
}
