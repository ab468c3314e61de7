/* Joins shards to one sweep. */
#include "experiments/sweep/merge.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "experiments/sweep/folder.h"
#include "experiments/sweep/grid.h"
#include "experiments/sweep/record.h"
#include "io/text/file_text.h"
#include "io/text/folder.h"

static AbutStatus read_record(const char *folder, AbutSweepRecord *record, AbutError *error)
{
	bool found = false;
	const AbutStatus status = abut_sweep_record_read(folder, record, &found, error);
	if (status == ABUT_OK && !found) {
		return abut_file_fail(error, folder, ABUT_ERROR_ARGUMENT, "the folder contains no sweep.json");
	}
	return status;
}

/* Adds the rows of one folder. */
static AbutStatus add_folder(const AbutSweepRecord *record, const char *folder, AbutSweepContents *contents,
                             AbutError *error)
{
	AbutSweepRecord other;
	ABUT_TRY(read_record(folder, &other, error));
	AbutStatus status = abut_sweep_record_compare(record, &other, folder, error);
	abut_sweep_record_free(&other);
	return status == ABUT_OK ? abut_sweep_contents_read(contents, folder, error) : status;
}

/* Appends a number to a list in words, unless the list is already long enough. */
static void add_to_list(char *list, size_t size, long number)
{
	enum { LONG_ENOUGH = 60 };
	const size_t length = strlen(list);
	if (length < LONG_ENOUGH) {
		snprintf(list + length, size - length, "%s%ld", length ? ", " : "", number);
	} else if (list[length - 1] != '.') {
		snprintf(list + length, size - length, ", ...");
	}
}

/* Returns whether a run of the shard is missing. */
static bool lacks_some(const AbutSweepLines *results, int shard, int n_shards)
{
	for (long i = 0; i < results->n_runs; i++) {
		if (!results->rows[i] && abut_sweep_share(i, n_shards) == shard) {
			return true;
		}
	}
	return false;
}

/* Names the missing runs and their shards. */
static AbutStatus check_complete(const AbutSweepRecord *record, const AbutSweepContents *contents, AbutError *error)
{
	const AbutSweepLines *results = &contents->tables[ABUT_SWEEP_RESULTS];
	char runs[96] = "", shards[96] = "";
	long missing = 0;
	for (long i = 0; i < results->n_runs; i++) {
		if (!results->rows[i]) {
			missing++;
			add_to_list(runs, sizeof runs, i);
		}
	}
	if (missing == 0) {
		return ABUT_OK;
	}
	if (record->shards == 0) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "%ld of %d runs are missing: %s", missing,
		                      record->runs, runs);
	}
	for (int shard = 0; shard < record->shards; shard++) {
		if (lacks_some(results, shard, record->shards)) {
			add_to_list(shards, sizeof shards, shard + 1);
		}
	}
	return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
	                      "%ld of %d runs are missing, of the shards %s of %d: %s", missing, record->runs, shards,
	                      record->shards, runs);
}

static AbutStatus write_sweep(AbutSweepRecord *record, const AbutSweepContents *contents, const char *path,
                              AbutError *error)
{
	AbutSweepRecord found;
	AbutFolder folder = {NULL, 0};
	int lock = -1;
	bool is_there = false;
	AbutStatus status = abut_folder_make(&folder, path, "output", error);
	ABUT_THEN(status, abut_sweep_folder_lock(path, &lock, error));
	ABUT_THEN(status, abut_sweep_folder_examine(path, &found, &is_there, error));
	if (status == ABUT_OK && is_there) {
		const bool again = found.merging && strcmp(found.digest, record->digest) == 0;
		abut_sweep_record_free(&found);
		status = again ? ABUT_OK
		               : abut_file_fail(error, path, ABUT_ERROR_ARGUMENT,
		                                "the folder already contains a sweep; choose another one");
	}
	record->complete = false;
	record->merging = true;
	ABUT_THEN(status, abut_sweep_record_write(record, path, error));
	ABUT_THEN(status, abut_sweep_contents_write(contents, path, error));
	record->complete = true;
	record->merging = false;
	ABUT_THEN(status, abut_sweep_record_write(record, path, error));
	if (lock >= 0) {
		close(lock);
	}
	abut_folder_drop(&folder); /* keeps a folder with contents */
	return status;
}

static AbutStatus join(AbutSweepRecord *record, int n_folders, const char *const *folders, const char *folder,
                       AbutSweepContents *contents, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < n_folders; i++) {
		status = add_folder(record, folders[i], contents, error);
	}
	ABUT_THEN(status, check_complete(record, contents, error));
	if (status != ABUT_OK) {
		return status;
	}
	record->shard = record->shards = 0;
	status = abut_sweep_contents_count(contents, &record->counts, error);
	return status != ABUT_OK ? status : write_sweep(record, contents, folder, error);
}

AbutStatus abut_sweep_merge(int n_folders, const char *const *folders, const char *folder, AbutSweepCounts *counts,
                            AbutError *error)
{
	AbutError local = {0};
	error = error ? error : &local;
	AbutSweepRecord record;
	AbutSweepContents contents;
	ABUT_TRY(read_record(folders[0], &record, error));
	AbutStatus status = abut_sweep_contents_init(&contents, record.runs, error);
	if (status == ABUT_OK) {
		status = join(&record, n_folders, folders, folder, &contents, error);
		abut_sweep_contents_free(&contents);
	}
	if (status == ABUT_OK && counts) {
		*counts = record.counts;
	}
	abut_sweep_record_free(&record);
	return status;
}
