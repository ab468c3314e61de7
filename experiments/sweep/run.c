/* Runs the missing runs of a sweep in a folder, over threads and processes. */
#include "experiments/sweep/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "experiments/sweep/folder.h"
#include "experiments/sweep/grid.h"
#include "experiments/sweep/ranks.h"
#include "experiments/sweep/record.h"
#include "experiments/sweep/text.h"
#include "experiments/sweep/work.h"
#include "io/text/file_text.h"
#include "io/text/folder.h"

static bool in_shard(const AbutSweepOptions *options, long run)
{
	return options->shards == 0 || abut_sweep_share(run, options->shards) == options->shard - 1;
}

enum { PART_SIZE = 48 };

/* Returns in words which part of a sweep a folder contains. */
static const char *name_part(const AbutSweepRecord *record, char out[PART_SIZE])
{
	if (record->shards == 0) {
		return "the whole sweep";
	}
	snprintf(out, PART_SIZE, "shard %d of %d", record->shard, record->shards);
	return out;
}

/* Checks a folder that already contains a sweep. It may be resumed if that is requested and it is the same sweep. */
static AbutStatus check_record(const AbutSweepRecord *record, const AbutSweepRecord *found, const char *folder,
                               bool resume, AbutError *error)
{
	if (!resume) {
		return abut_file_fail(
		    error, folder, ABUT_ERROR_ARGUMENT,
		    "the folder already contains a sweep, \"%.80s\": resume it, or choose another folder", found->name);
	}
	const AbutStatus status = abut_sweep_record_compare(record, found, folder, error);
	if (status == ABUT_OK && (record->shard != found->shard || record->shards != found->shards)) {
		char held[PART_SIZE], asked[PART_SIZE];
		return abut_file_fail(error, folder, ABUT_ERROR_ARGUMENT, "the folder contains %s, not %s",
		                      name_part(found, held), name_part(record, asked));
	}
	return status;
}

/* Checks that the folder may be written into. */
static AbutStatus check_folder(const AbutSweepRecord *record, const char *folder, bool resume, AbutError *error)
{
	AbutSweepRecord found;
	bool is_there = false;
	AbutStatus status = abut_sweep_folder_examine(folder, &found, &is_there, error);
	if (status == ABUT_OK && is_there) {
		status = check_record(record, &found, folder, resume, error);
		abut_sweep_record_free(&found);
	}
	return status;
}

/* Writes the record of the folder and joins the tables of an earlier call. */
static AbutStatus begin_folder(const AbutSweep *sweep, const AbutSweepRecord *record, const char *folder, bool resume,
                               AbutError *error)
{
	AbutSweepContents contents;
	AbutStatus status = check_folder(record, folder, resume, error);
	ABUT_THEN(status, abut_sweep_contents_init(&contents, record->runs, error));
	if (status != ABUT_OK) {
		return status;
	}
	status = abut_sweep_contents_expect(&contents, sweep, error);
	ABUT_THEN(status, abut_sweep_contents_read(&contents, folder, error));
	ABUT_THEN(status, abut_sweep_record_write(record, folder, error));
	ABUT_THEN(status, abut_sweep_contents_write(&contents, folder, error));
	abut_sweep_contents_free(&contents);
	return status;
}

/* Lists the runs of this process: its share of the runs that are missing in the folder. */
static AbutStatus list_runs(const AbutSweep *sweep, const char *folder, const AbutSweepOptions *options, long **runs,
                            long *n_runs, AbutError *error)
{
	AbutSweepContents contents;
	ABUT_TRY(abut_sweep_contents_init(&contents, sweep->run_count, error));
	*runs = calloc((size_t)sweep->run_count, sizeof **runs);
	AbutStatus status = *runs ? abut_sweep_contents_read(&contents, folder, error) : abut_sweep_fail_memory(error);
	const AbutRanks alone = {0, 1}, *ranks = options->ranks ? options->ranks : &alone;
	long missing = 0;
	*n_runs = 0;
	for (long i = 0; status == ABUT_OK && i < sweep->run_count; i++) {
		if (in_shard(options, i) && !contents.tables[ABUT_SWEEP_RESULTS].rows[i]) {
			if (abut_sweep_share(missing, ranks->size) == ranks->rank) {
				(*runs)[(*n_runs)++] = i;
			}
			missing++;
		}
	}
	abut_sweep_contents_free(&contents);
	return status;
}

/* Checks that all runs are in the folder. Runs are missing if the processes do not see the same folder. */
static AbutStatus check_complete(const AbutSweepRecord *record, const AbutSweepOptions *options, const char *folder,
                                 AbutError *error)
{
	long expected = 0;
	for (long i = 0; i < record->runs; i++) {
		expected += in_shard(options, i);
	}
	if (record->counts.runs == expected) {
		return ABUT_OK;
	}
	return abut_file_fail(
	    error, folder, ABUT_ERROR_IO,
	    "the folder contains only %ld of %ld runs at the end: do all processes see the same folder?",
	    record->counts.runs, expected);
}

/* Ends a complete sweep: sorts the tables and writes the counts to the record. */
static AbutStatus end_folder(AbutSweepRecord *record, const AbutSweepOptions *options, const char *folder,
                             AbutError *error)
{
	AbutSweepContents contents;
	ABUT_TRY(abut_sweep_contents_init(&contents, record->runs, error));
	AbutStatus status = abut_sweep_contents_read(&contents, folder, error);
	ABUT_THEN(status, abut_sweep_contents_write(&contents, folder, error));
	ABUT_THEN(status, abut_sweep_contents_count(&contents, &record->counts, error));
	ABUT_THEN(status, check_complete(record, options, folder, error));
	if (status == ABUT_OK) {
		record->complete = true;
		status = abut_sweep_record_write(record, folder, error);
	}
	abut_sweep_contents_free(&contents);
	return status;
}

static AbutStatus agree(const AbutSweepOptions *options, AbutStatus status, AbutError *error)
{
	return options->ranks ? abut_ranks_agree(options->ranks, status, error) : status;
}

/* Runs the stages of a sweep; each ends when all processes have finished it. The first process manages the folder. */
static AbutStatus run_stages(const AbutSweep *sweep, const char *folder, const AbutSweepOptions *options,
                             AbutSweepRecord *record, AbutError *error)
{
	const int rank = options->ranks ? options->ranks->rank : 0;
	const bool is_first = rank == 0;
	long *runs = NULL, n_runs = 0;
	AbutStatus status =
	    agree(options, is_first ? begin_folder(sweep, record, folder, options->resume, error) : ABUT_OK, error);
	ABUT_THEN(status, agree(options, list_runs(sweep, folder, options, &runs, &n_runs, error), error));
	ABUT_THEN(status,
	          agree(options, abut_sweep_make_runs(sweep, folder, rank, options, runs, n_runs, error), error));
	ABUT_THEN(status, agree(options, is_first ? end_folder(record, options, folder, error) : ABUT_OK, error));
	free(runs);
	return status;
}

/* Creates and locks the folder. If still empty at the end, it is removed again. */
static AbutStatus open_folder(const char *path, AbutFolder *folder, int *lock, AbutError *error)
{
	ABUT_TRY(abut_folder_make(folder, path, "output", error));
	return abut_sweep_folder_lock(folder->path, lock, error);
}

AbutStatus abut_sweep_run(const AbutSweep *sweep, const char *path, const AbutSweepOptions *options,
                          AbutSweepCounts *counts, AbutError *error)
{
	AbutError local = {0};
	error = error ? error : &local;
	AbutSweepRecord record;
	AbutFolder folder = {NULL, 0};
	int lock = -1;
	const bool is_first = !options->ranks || options->ranks->rank == 0;
	if (options->shards < 0 || options->shard < (options->shards > 0) || options->shard > options->shards) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "there is no shard %d of %d; allowed are 1 to %d", options->shard,
		                      options->shards, options->shards);
	}
	AbutStatus status = abut_sweep_record_make(sweep, options->shard, options->shards, &record, error);
	if (status == ABUT_OK && is_first) {
		status = open_folder(path, &folder, &lock, error);
	}
	status = agree(options, status, error);
	ABUT_THEN(status, run_stages(sweep, path, options, &record, error));
	if (status == ABUT_OK && counts) {
		*counts = record.counts;
	}
	if (lock >= 0) {
		close(lock);
	}
	abut_folder_drop(&folder); /* keeps a folder with contents */
	abut_sweep_record_free(&record);
	return status;
}
