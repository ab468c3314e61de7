/* Runs sweeps: a grid of scenes, methods, parameters and seeds, with one run for each point, on threads, processes and
 * machines (docs/interface.md). Load a spec, run it into a folder, and read the folder as a table:
 *
 *      AbutSweep *sweep;
 *      abut_sweep_load("grid.json", NULL, &sweep, error);
 *      abut_sweep_run(sweep, "out/grid", &(AbutSweepOptions){.resume = true}, &counts, error);
 *      abut_sweep_table_read("out/grid", &table, error);
 *
 * The axes are, in this order: scene, method, the parameters and the joined axes in the order of the spec, and the
 * seeds. Runs are numbered from 0; the first axis changes slowest and the seeds fastest. */
#pragma once

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

/* The progress of this process after each of its runs. Only one thread reports at a time. */
typedef struct AbutSweepProgress {
	long done, total;         /* number of runs, finished and in total, in this call */
	double elapsed_s, left_s; /* s; the time left is an estimate */
	long failed, refused;
} AbutSweepProgress;

typedef struct AbutRanks AbutRanks; /* ranks.h: the processes under mpirun */

/* Options. With all zero, every run is made, on one thread per core, into a folder that contains no sweep. */
typedef struct AbutSweepOptions {
	int threads;            /* 0: one per core */
	bool resume;            /* continue an unfinished sweep in the folder; start one if there is none */
	int shard, shards;      /* only the runs of shard `shard`, from 1, of `shards`; 0: all */
	const AbutRanks *ranks; /* NULL: a single process. Every process calls abut_sweep_run with the same folder */
	void (*progress)(void *context, const AbutSweepProgress *progress); /* may be NULL */
	void *context;
} AbutSweepOptions;

typedef struct AbutSweepCounts {
	long runs;    /* in the folder */
	long done;    /* every step was solved */
	long failed;  /* a step was not solved */
	long refused; /* the library does not support the scene */
} AbutSweepCounts;
