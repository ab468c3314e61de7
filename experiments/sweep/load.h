/* Loads a sweep from its spec, and reports its axes and runs. */
#pragma once

#include "experiments/sweep/sweep.h"
#include "io/json/node.h"

/* Reads and checks the spec and its scenes. A wrong key, path or value is an error with file, line, column and path.
 * `first_seed`, unless NULL, replaces the one of the spec. After a failure `*out` is NULL. */
AbutStatus abut_sweep_load(const char *path, const unsigned long long *first_seed, AbutSweep **out, AbutError *error);
void abut_sweep_destroy(AbutSweep *sweep); /* NULL is fine */
const char *abut_sweep_name(const AbutSweep *sweep);
long abut_sweep_run_count(const AbutSweep *sweep);
int abut_sweep_axis_count(const AbutSweep *sweep); /* number of axes without the seeds */
const char *abut_sweep_axis_name(const AbutSweep *sweep, int axis);
int abut_sweep_axis_size(const AbutSweep *sweep, int axis);
const char *abut_sweep_axis_label(const AbutSweep *sweep, int axis, int value); /* label in the tables */
unsigned long long abut_sweep_first_seed(const AbutSweep *sweep);
long abut_sweep_seed_count(const AbutSweep *sweep);

/* The keys of a spec and of its `seeds`. */
extern const AbutKeySet abut_sweep_keys, abut_sweep_keys_seeds;
