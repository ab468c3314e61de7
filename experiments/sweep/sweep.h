/* Sweeps: a grid of scenes, methods, parameters and seeds, a run a point, over threads, processes and machines
 * (docs/interface.md). Load a spec, run it into a folder, read the folder back as a table:
 *
 *     AbutSweep *sweep;
 *     abut_sweep_load("grid.json", NULL, &sweep, error);
 *     abut_sweep_run(sweep, "out/grid", &(AbutSweepOptions){.resume = true}, &counts, error);
 *     abut_sweep_table_read("out/grid", &table, error);
 *
 * The points are those of axes: scene, method, the parameters and the joined axes in the order of the spec, and the
 * seeds. Runs are numbered from 0 through the grid, the first axis slowest and the seeds fastest. */
#ifndef EXPERIMENTS_SWEEP_SWEEP_H
#define EXPERIMENTS_SWEEP_SWEEP_H

#include <stdbool.h>
#include <stdio.h>

#include "abut/status.h"

enum {
	ABUT_SWEEP_SCENE_AXIS = 0,
	ABUT_SWEEP_METHOD_AXIS = 1,
	ABUT_SWEEP_MAX_RUNS = 100000000,
	ABUT_SWEEP_DIGEST_SIZE = 17
};

/* --- the spec --- */

typedef struct AbutSweep AbutSweep; /* never changes once loaded */

/* Reads the spec and its scenes, and checks both: a wrong key, path or value is an error with file, line, column and
 * path. `first_seed`, when not NULL, stands for the spec's. On anything but ABUT_OK `*out` is NULL. */
AbutStatus abut_sweep_load(const char *path, const unsigned long long *first_seed, AbutSweep **out, AbutError *error);
void abut_sweep_destroy(AbutSweep *sweep); /* NULL is fine */

const char *abut_sweep_name(const AbutSweep *sweep);
const char *abut_sweep_digest(const AbutSweep *sweep); /* of spec, scenes and seeds: 16 hexadecimal digits */
long abut_sweep_run_count(const AbutSweep *sweep);
int abut_sweep_axis_count(const AbutSweep *sweep); /* without the seeds */
const char *abut_sweep_axis_name(const AbutSweep *sweep, int axis);
int abut_sweep_axis_size(const AbutSweep *sweep, int axis);
const char *abut_sweep_axis_label(const AbutSweep *sweep, int axis, int value); /* as it stands in the tables */
unsigned long long abut_sweep_first_seed(const AbutSweep *sweep);
long abut_sweep_seed_count(const AbutSweep *sweep);

/* The call of `abut run` that repeats a run, for a shell. ABUT_ERROR_ARGUMENT: there is no such run. */
AbutStatus abut_sweep_write_call(const AbutSweep *sweep, long run, FILE *file, AbutError *error);

/* --- running it --- */

/* Of this process, after each of its runs; called by one thread at a time. */
typedef struct AbutSweepProgress {
	long done, total;         /* runs, of those that this call is to make */
	double elapsed_s, left_s; /* an estimate */
	long failed, refused;
} AbutSweepProgress;

typedef struct AbutRanks AbutRanks; /* ranks.h: the processes under mpirun */

/* All zero: every run, on one thread per core, into a folder that holds no sweep. */
typedef struct AbutSweepOptions {
	int threads;            /* 0: one per core */
	bool resume;            /* go on where a folder of the same sweep stops; begin where there is none */
	int shard, shards;      /* only the runs of shard `shard`, from 1, of `shards`; 0: all */
	const AbutRanks *ranks; /* NULL: alone. Every process calls abut_sweep_run with the same folder */
	void (*progress)(void *context, const AbutSweepProgress *progress); /* may be NULL */
	void *context;
} AbutSweepOptions;

typedef struct AbutSweepCounts {
	long runs;    /* in the folder */
	long done;    /* every step was solved */
	long failed;  /* a step was not */
	long refused; /* the library does not take the scene */
} AbutSweepCounts;

/* Runs what is missing in `folder`, which then holds runs.csv, times.csv and sweep.json. A run that fails or is refused
 * is a row and no error. ABUT_ERROR_ARGUMENT: the folder holds a sweep, another one, or is in use; ABUT_ERROR_IO:
 * something could not be written; what is there then can be resumed. `counts` may be NULL.
 *
 * Each run is on one thread; OpenBLAS is told to use one from now on, so that no number depends on how many there are.
 */
AbutStatus abut_sweep_run(const AbutSweep *sweep, const char *folder, const AbutSweepOptions *options,
                          AbutSweepCounts *counts, AbutError *error);

/* Joins the folders of all shards of one sweep into `folder`, as if one machine had run it. ABUT_ERROR_ARGUMENT: they
 * are of different sweeps, runs are missing, or `folder` holds tables already. */
AbutStatus abut_sweep_merge(int n_folders, const char *const *folders, const char *folder, AbutSweepCounts *counts,
                            AbutError *error);

/* --- reading it back --- */

/* runs.csv of a folder beside its times.csv: a row a run, in the order of the runs. */
typedef struct AbutSweepTable AbutSweepTable;

AbutStatus abut_sweep_table_read(const char *folder, AbutSweepTable **out, AbutError *error);
void abut_sweep_table_destroy(AbutSweepTable *table); /* NULL is fine */

long abut_sweep_table_rows(const AbutSweepTable *table);
/* Columns 1 to this number are the axes, and "seed" stands after them. */
int abut_sweep_table_axes(const AbutSweepTable *table);
const char *abut_sweep_table_name(const AbutSweepTable *table, int column);
int abut_sweep_table_column(const AbutSweepTable *table, const char *name); /* -1: there is none */
/* What stands there; "" for a value that a run does not have, and for column -1. */
const char *abut_sweep_table_text(const AbutSweepTable *table, long row, int column);
double abut_sweep_table_number(const AbutSweepTable *table, long row, int column); /* NaN when it is none */

#endif
