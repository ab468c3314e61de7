/* Runs `abut bench peers`: the same scenes in Abut and in other engines. */
#pragma once

#include <stdbool.h>

/* Runs and prints the cases whose names start with `name` (NULL: all), with few steps if `quick`. Returns the exit
 * status. */
int abut_bench_peers(const char *name, bool json, bool quick, unsigned long long seed);
