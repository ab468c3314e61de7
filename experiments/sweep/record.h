/* Reads and writes sweep.json, which describes the sweep of a folder and its progress. Its contents do not depend on
 * clock, threads or machine. */
#pragma once

#include "experiments/sweep/spec_parts.h"

typedef struct AbutSweepRecord {
	char name[ABUT_NAME_MAX + 1];
	char digest[ABUT_SWEEP_DIGEST_SIZE], version[32];
	double first_seed; /* an integer */
	int runs;          /* of the whole sweep */
	int shard, shards; /* shard, from 1, and number of shards; 0: the whole sweep */
	bool complete;
	bool merging;           /* an unfinished merge of shards, not of runs */
	AbutSweepCounts counts; /* set once the sweep is complete */
	char *spec;             /* as JSON; owned */
} AbutSweepRecord;

/* After ABUT_ERROR_MEMORY there is nothing to free. */
AbutStatus abut_sweep_record_make(const AbutSweep *sweep, int shard, int shards, AbutSweepRecord *record,
                                  AbutError *error);
void abut_sweep_record_free(AbutSweepRecord *record);

/* Write the record to sweep.json in the folder, and read it. `*found` is whether the file exists. */
AbutStatus abut_sweep_record_write(const AbutSweepRecord *record, const char *folder, AbutError *error);
AbutStatus abut_sweep_record_read(const char *folder, AbutSweepRecord *record, bool *found, AbutError *error);

/* Compares two records. Returns ABUT_ERROR_ARGUMENT if `folder`, to which `other` belongs, contains another sweep or
 * was written by another version. */
AbutStatus abut_sweep_record_compare(const AbutSweepRecord *record, const AbutSweepRecord *other, const char *folder,
                                     AbutError *error);
