/* Loads a sweep from its spec. */
#pragma once

#include "experiments/sweep/sweep.h"
#include "io/json/node.h"

/* Reads and checks the spec and its scenes. A wrong key, path or value is an error with file, line, column and path.
 * `first_seed`, unless NULL, replaces the one of the spec. After a failure `*out` is NULL. */
AbutStatus abut_sweep_load(const char *path, const unsigned long long *first_seed, AbutSweep **out, AbutError *error);
void abut_sweep_destroy(AbutSweep *sweep); /* NULL is fine */

/* The keys of a spec and of its `seeds`. */
extern const AbutKeySet abut_sweep_keys, abut_sweep_keys_seeds;
