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

/* --- running it --- */

/* The progress of this process after each of its runs; reported by one thread at a time. */
typedef struct AbutSweepProgress {
	long done, total;         /* runs, of those of this call */
	double elapsed_s, left_s; /* an estimate */
	long failed, refused;
} AbutSweepProgress;

typedef struct AbutRanks AbutRanks; /* ranks.h: the processes under mpirun */

/* Options. All zero: every run, on one thread per core, into a folder without a sweep. */
typedef struct AbutSweepOptions {
	int threads;            /* 0: one per core */
	bool resume;            /* continue an unfinished sweep in the folder; start one if there is none */
	int shard, shards;      /* only the runs of shard `shard`, from 1, of `shards`; 0: all */
	const AbutRanks *ranks; /* NULL: alone. Every process calls abut_sweep_run with the same folder */
	void (*progress)(void *context, const AbutSweepProgress *progress); /* may be NULL */
	void *context;
} AbutSweepOptions;

typedef struct AbutSweepCounts {
	long runs;    /* in the folder */
	long done;    /* every step was solved */
	long failed;  /* a step was not */
	long refused; /* the library does not support the scene */
} AbutSweepCounts;

#endif
