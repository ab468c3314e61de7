/* sweep.json: the sweep of a folder and its progress. Its contents do not depend on clock, threads or machine. */
#ifndef EXPERIMENTS_SWEEP_RECORD_H
#define EXPERIMENTS_SWEEP_RECORD_H

#include "experiments/sweep/spec_parts.h"

typedef struct AbutSweepRecord {
	char name[ABUT_NAME_MAX + 1];
	char digest[ABUT_SWEEP_DIGEST_SIZE], version[32];
	double first_seed; /* an integer */
	int runs;          /* of the whole sweep */
	int shard, shards; /* 0: all of it */
	bool complete;
	AbutSweepCounts counts; /* when complete */
	char *spec;             /* as JSON; owned */
} AbutSweepRecord;

/* After ABUT_ERROR_MEMORY there is nothing to free. */
AbutStatus abut_sweep_record_make(const AbutSweep *sweep, int shard, int shards, AbutSweepRecord *record,
                                  AbutError *error);
void abut_sweep_record_free(AbutSweepRecord *record);

/* Write the record to sweep.json in the folder, and read it; `*found`: the file exists. */
AbutStatus abut_sweep_record_write(const AbutSweepRecord *record, const char *folder, AbutError *error);
AbutStatus abut_sweep_record_read(const char *folder, AbutSweepRecord *record, bool *found, AbutError *error);

/* Compares two records: ABUT_ERROR_ARGUMENT when `folder`, which `other` belongs to, contains another sweep or one of
 * another version. */
AbutStatus abut_sweep_record_compare(const AbutSweepRecord *record, const AbutSweepRecord *other, const char *folder,
                                     AbutError *error);

#endif
