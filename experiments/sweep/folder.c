/* Writes, reads, joins and locks the tables of a sweep. */
#include "experiments/sweep/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "experiments/sweep/text.h"
#include "io/text/csv.h"
#include "io/text/file_text.h"
#include "io/text/output_target.h"
#include "io/text/words.h"

/* --- rows as they come --- */

/* Returns the path of a table of process `rank`: runs.csv or times.csv, and runs.RANK.csv from rank 1 on. The caller
 * frees it; NULL when out of memory. */
static char *table_path(const char *folder, AbutSweepTableKind table, int rank)
{
	const char *name = table == ABUT_SWEEP_RESULTS ? "runs" : "times";
	return rank == 0 ? abut_text_format("%s/%s.csv", folder, name)
	                 : abut_text_format("%s/%s.%d.csv", folder, name, rank);
}

/* Appends a line with one write. A killed process then leaves only whole lines; a full disk leaves at most one partial
 * line. */
static AbutStatus append(const AbutSweepRecorder *recorder, AbutSweepTableKind table, char *line, AbutError *error)
{
	const char *at = line;
	size_t left = line ? strlen(line) : 0;
	AbutStatus status = line ? ABUT_OK : abut_sweep_fail_memory(error);
	while (status == ABUT_OK && left > 0) {
		const ssize_t written = write(recorder->files[table], at, left);
		if (written < 0 && errno != EINTR) {
			status = abut_file_fail(error, recorder->paths[table], ABUT_ERROR_IO, "cannot write: %s",
			                        strerror(errno));
		}
		at += written > 0 ? written : 0;
		left -= written > 0 ? (size_t)written : 0;
	}
	free(line);
	return status;
}

/* Opens a table; a new one gets its header. */
static AbutStatus open_table(AbutSweepRecorder *recorder, AbutSweepTableKind table, const char *folder, int rank,
                             AbutError *error)
{
	struct stat info = {0};
	recorder->paths[table] = table_path(folder, table, rank);
	if (!recorder->paths[table]) {
		return abut_sweep_fail_memory(error);
	}
	recorder->files[table] =
	    open(recorder->paths[table], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (recorder->files[table] < 0 || fstat(recorder->files[table], &info) != 0) {
		return abut_file_fail(error, recorder->paths[table], ABUT_ERROR_IO, "cannot write: %s",
		                      errno == ELOOP ? "it is a link" : strerror(errno));
	}
	return info.st_size > 0 ? ABUT_OK
	                        : append(recorder, table, abut_sweep_header_text(recorder->sweep, table), error);
}

AbutStatus abut_sweep_recorder_open(AbutSweepRecorder *recorder, const AbutSweep *sweep, const char *folder, int rank,
                                    AbutError *error)
{
	*recorder = (AbutSweepRecorder){sweep, {NULL, NULL}, {-1, -1}};
	AbutStatus status = open_table(recorder, ABUT_SWEEP_RESULTS, folder, rank, error);
	ABUT_THEN(status, open_table(recorder, ABUT_SWEEP_TIMES, folder, rank, error));
	if (status != ABUT_OK) {
		abut_sweep_recorder_close(recorder);
	}
	return status;
}

/* Appends a row to both tables, first to times.csv: every run with results then also has times. */
AbutStatus abut_sweep_recorder_append(const AbutSweepRecorder *recorder, long run, const AbutSweepResult *result,
                                      AbutError *error)
{
	const AbutSweep *sweep = recorder->sweep;
	const AbutStatus status =
	    append(recorder, ABUT_SWEEP_TIMES, abut_sweep_row_text(sweep, run, result, ABUT_SWEEP_TIMES), error);
	return status == ABUT_OK ? append(recorder, ABUT_SWEEP_RESULTS,
	                                  abut_sweep_row_text(sweep, run, result, ABUT_SWEEP_RESULTS), error)
	                         : status;
}

void abut_sweep_recorder_close(AbutSweepRecorder *recorder)
{
	for (int i = 0; i < ABUT_SWEEP_TABLES; i++) {
		if (recorder->files[i] >= 0) {
			close(recorder->files[i]);
		}
		free(recorder->paths[i]);
	}
	*recorder = (AbutSweepRecorder){NULL, {NULL, NULL}, {-1, -1}};
}

static const char *const names[ABUT_SWEEP_TABLES] = {"runs.csv", "times.csv"};

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

AbutStatus abut_sweep_contents_expect(AbutSweepContents *contents, const AbutSweep *sweep, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < ABUT_SWEEP_TABLES; i++) {
		char *const line = abut_sweep_header_text(sweep, i);
		if (line) {
			line[strcspn(line, "\n")] = '\0';
			contents->tables[i].header = line;
		} else {
			status = abut_sweep_fail_memory(error);
		}
	}
	return status;
}

void abut_sweep_contents_free(AbutSweepContents *contents)
{
	for (int i = 0; i < ABUT_SWEEP_TABLES; i++) {
		abut_sweep_lines_free(&contents->tables[i]);
	}
}

/* Returns the rank in the file name runs.RANK.csv or times.RANK.csv; 0 for any other name. */
static int rank_of(const char *name)
{
	int rank = 0, used = 0;
	const char *rest = strncmp(name, "runs.", 5) == 0 ? name + 5 : name + 6;
	const bool is_table = strncmp(name, "runs.", 5) == 0 || strncmp(name, "times.", 6) == 0;
	const bool is_whole =
	    is_table && sscanf(rest, "%9d.csv%n", &rank, &used) == 1 && used > 0 && rest[used] == '\0';
	return is_whole && rank > 0 ? rank : 0;
}

/* Finds the largest rank for which the folder has a table. */
static AbutStatus last_rank(const char *folder, int *last, AbutError *error)
{
	*last = 0;
	DIR *list = opendir(folder);
	if (!list) {
		return abut_file_fail(error, folder, ABUT_ERROR_IO, "cannot read the folder: %s", strerror(errno));
	}
	for (const struct dirent *entry; (entry = readdir(list));) {
		const int rank = rank_of(entry->d_name);
		*last = rank > *last ? rank : *last;
	}
	closedir(list);
	return ABUT_OK;
}

/* Reads all tables. If a run occurs twice, its results are the same and its times differ: it is repeated only if its
 * first results were not recorded. */
AbutStatus abut_sweep_contents_read(AbutSweepContents *contents, const char *folder, AbutError *error)
{
	int last = 0;
	AbutStatus status = last_rank(folder, &last, error);
	for (int rank = 0; status == ABUT_OK && rank <= last; rank++) {
		for (int i = 0; status == ABUT_OK && i < ABUT_SWEEP_TABLES; i++) {
			char *const path = table_path(folder, i, rank);
			status = path
			             ? abut_sweep_lines_read(&contents->tables[i], path, i == ABUT_SWEEP_RESULTS, error)
			             : abut_sweep_fail_memory(error);
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
			char *const path = table_path(folder, i, rank);
			if (path) {
				unlink(path);
			}
			free(path);
		}
	}
	return status;
}

/* Writes a table, with only those runs that have a result. */
static AbutStatus write_table(const AbutSweepContents *contents, AbutSweepTableKind table, const char *folder,
                              AbutError *error)
{
	const AbutSweepLines *lines = &contents->tables[table], *results = &contents->tables[ABUT_SWEEP_RESULTS];
	return lines->header ? abut_sweep_lines_write(lines, results, folder, names[table], error) : ABUT_OK;
}

AbutStatus abut_sweep_contents_write(const AbutSweepContents *contents, const char *folder, AbutError *error)
{
	ABUT_TRY(write_table(contents, ABUT_SWEEP_TIMES, folder, error));
	ABUT_TRY(write_table(contents, ABUT_SWEEP_RESULTS, folder, error));
	return remove_others(folder, error);
}

/* Counts the row whose outcome is in field `column`; `copy` is overwritten. */
static void count_row(char *copy, int column, AbutSweepCounts *counts)
{
	long *const of[ABUT_RUN_OUTCOME_COUNT] = {&counts->done, &counts->failed, &counts->refused};
	const char *field = NULL;
	char *at = copy;
	for (int i = 0; at && i <= column; i++) {
		field = abut_csv_next(&at);
	}
	for (int i = 0; field && i < ABUT_RUN_OUTCOME_COUNT; i++) {
		*of[i] += strcmp(field, abut_run_outcome_name((AbutRunOutcome)i)) == 0;
	}
	counts->runs++;
}

/* Returns the index of the field `name` in a line, which is overwritten; -1 if the field is missing. */
static int find_field(char *line, const char *name)
{
	char *at = line;
	for (int i = 0; at; i++) {
		const char *field = abut_csv_next(&at);
		if (!field || strcmp(field, name) == 0) {
			return field ? i : -1;
		}
	}
	return -1;
}

AbutStatus abut_sweep_contents_count(const AbutSweepContents *contents, AbutSweepCounts *counts, AbutError *error)
{
	const AbutSweepLines *results = &contents->tables[ABUT_SWEEP_RESULTS];
	*counts = (AbutSweepCounts){0, 0, 0, 0};
	char *copy = abut_text_format("%s", results->header ? results->header : "");
	const int column = copy ? find_field(copy, "outcome") : -1;
	for (long i = 0; copy && i < results->n_runs; i++) {
		if (results->rows[i]) {
			free(copy);
			copy = abut_text_format("%s", results->rows[i]);
		}
		if (copy && results->rows[i]) {
			count_row(copy, column, counts);
		}
	}
	if (!copy) {
		return abut_sweep_fail_memory(error);
	}
	free(copy);
	return ABUT_OK;
}

/* Finds whether the folder has a table of any rank. Writing a sweep replaces or removes all of them. */
static AbutStatus find_tables(const char *folder, bool *found, AbutError *error)
{
	int last = 0;
	const AbutStatus status = last_rank(folder, &last, error);
	*found = last > 0;
	for (int i = 0; i < ABUT_SWEEP_TABLES; i++) {
		struct stat info;
		char *const path = table_path(folder, i, 0);
		if (!path) {
			return abut_sweep_fail_memory(error);
		}
		*found |= stat(path, &info) == 0;
		free(path);
	}
	return status;
}

AbutStatus abut_sweep_folder_examine(const char *folder, AbutSweepRecord *record, bool *found, AbutError *error)
{
	bool has_tables = false;
	AbutStatus status = abut_sweep_record_read(folder, record, found, error);
	if (status == ABUT_OK && !*found) {
		status = find_tables(folder, &has_tables, error);
	}
	if (has_tables && status == ABUT_OK) {
		return abut_file_fail(
		    error, folder, ABUT_ERROR_ARGUMENT,
		    "the folder contains runs.csv or times.csv but no sweep.json; choose another folder");
	}
	return status;
}

AbutStatus abut_sweep_folder_lock(const char *folder, int *lock, AbutError *error)
{
	*lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*lock < 0) {
		return abut_file_fail(error, folder, abut_path_status(errno), "cannot read the folder: %s",
		                      strerror(errno));
	}
	/* File systems without locks give no protection. */
	if (flock(*lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
		close(*lock);
		*lock = -1;
		return abut_file_fail(error, folder, ABUT_ERROR_ARGUMENT,
		                      "another process is running a sweep in this folder");
	}
	abut_target_sweep(folder);
	return ABUT_OK;
}
