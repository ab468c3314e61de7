/* The points of the grid: which value of each axis a run has, and the overrides that make its scene. */
#ifndef EXPERIMENTS_SWEEP_GRID_H
#define EXPERIMENTS_SWEEP_GRID_H

#include <stdio.h>

#include "abut/io.h"
#include "base/rng.h"
#include "experiments/sweep/spec_parts.h"

/* Of run `run`: the value on an axis, and the seed. */
int abut_sweep_coordinate(const AbutSweep *sweep, long run, int axis);
unsigned long long abut_sweep_seed(const AbutSweep *sweep, long run);

/* Which of `n` shares, from 0, item `i` belongs to. Each of n items in a row goes to another one, so that shares are
 * equal, and in an order that looks random, so that they are also where every n-th item takes long. */
static inline long abut_sweep_share(long i, long n)
{
	AbutRng rng = {(uint64_t)(i / n)};
	return (i % n + (long)(abut_rng_next(&rng) % (uint64_t)n)) % n;
}

/* What makes the scene of one point. */
typedef struct AbutSweepPoint {
	const AbutSweepScene *scene;
	int count;           /* of overrides, in the order in which they apply */
	const char **texts;  /* (count) owned array; the texts are the sweep's, or of `drawn` */
	const char **places; /* (count) owned array: where the spec has them */
	int n_drawn;
	char **drawn; /* owned */
} AbutSweepPoint;

/* The point with `values` (one for each axis) and a seed. ABUT_ERROR_MEMORY leaves nothing behind. */
AbutStatus abut_sweep_point_make(const AbutSweep *sweep, const int *values, unsigned long long seed,
                                 AbutSweepPoint *point, AbutError *error);
/* The same of a run. */
AbutStatus abut_sweep_point_of_run(const AbutSweep *sweep, long run, AbutSweepPoint *point, AbutError *error);
void abut_sweep_point_free(AbutSweepPoint *point);

/* Its scene; the caller's. */
AbutStatus abut_sweep_point_scene(const AbutSweepPoint *point, AbutScene **scene, AbutError *error);

/* Writes the `abut run` command that repeats run `run`, quoted for a shell. ABUT_ERROR_ARGUMENT: there is no such run.
 */
AbutStatus abut_sweep_write_call(const AbutSweep *sweep, long run, FILE *file, AbutError *error);

#endif
