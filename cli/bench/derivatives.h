/* Runs `abut bench derivatives`. */
#pragma once

#include <stdbool.h>

/* Measures and prints the cases whose names start with `name` (NULL: all). `data` is the folder of the robots of other
 * projects; NULL: none. Returns the exit status. */
int abut_bench_derivatives(const char *name, const char *data, bool json, bool quick, unsigned long long seed);
