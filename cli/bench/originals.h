/* Runs `abut bench originals`: compares methods lcp and convex with the engines they come from. */
#pragma once

#include <stdbool.h>

/* Runs and prints the cases whose names start with `name` (NULL: all), with few steps if `quick`. Returns the exit
 * status. */
int abut_bench_originals(const char *name, bool json, bool quick, unsigned long long seed);
