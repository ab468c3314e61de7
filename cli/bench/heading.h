/* Prints the first line of a benchmark: the machine and the version. */
#pragma once

#include <stdbool.h>

/* Prints machine and version as text, or the beginning of a JSON object up to its array `rows`. */
void abut_bench_print_heading(bool json, const char *rows, unsigned long long seed);
