/* Computes the points of the grid: for each run, its value on each axis and the overrides that make its scene. */
#pragma once

#include <stdio.h>

#include "abut/io.h"
#include "base/rng.h"
#include "experiments/sweep/spec_parts.h"

/* Return the value of run `run` on an axis, and the seed of the run. */
int abut_sweep_coordinate(const AbutSweep *sweep, long run, int axis);
unsigned long long abut_sweep_seed(const AbutSweep *sweep, long run);

/* Returns which of `n` shares, numbered from 0, item `i` belongs to. Consecutive items go to different shares, so the
 * shares are equally large. The order is pseudo-random, so they take equally long even if every n-th item is slow. */
static inline long abut_sweep_share(long i, long n)
{
	AbutRng rng = {(uint64_t)(i / n)};
	return (i % n + (long)(abut_rng_next(&rng) % (uint64_t)n)) % n;
}

/* The overrides that make the scene of one point. */
typedef struct AbutSweepPoint {
	const AbutSweepScene *scene;
	int count;           /* number of overrides, which apply in this order */
	const char **texts;  /* (count) owned array; the strings belong to the sweep or to `drawn` */
	const char **places; /* (count) owned array: paths in the spec */
	int n_drawn;
	char **drawn; /* owned */
} AbutSweepPoint;

/* Makes the point with `values` (one for each axis) and a seed. After ABUT_ERROR_MEMORY there is nothing to free. */
AbutStatus abut_sweep_point_make(const AbutSweep *sweep, const int *values, unsigned long long seed,
                                 AbutSweepPoint *point, AbutError *error);
/* Makes the point of a run. */
AbutStatus abut_sweep_point_of_run(const AbutSweep *sweep, long run, AbutSweepPoint *point, AbutError *error);
void abut_sweep_point_free(AbutSweepPoint *point);

/* Makes the scene of a point, which the caller destroys. */
AbutStatus abut_sweep_point_scene(const AbutSweepPoint *point, AbutScene **scene, AbutError *error);

/* Writes the `abut run` command that repeats run `run`, quoted for a shell. ABUT_ERROR_ARGUMENT: there is no such run.
 */
AbutStatus abut_sweep_write_call(const AbutSweep *sweep, long run, FILE *file, AbutError *error);
