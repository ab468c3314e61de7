/* The first line of a benchmark: the machine and the version. */
#ifndef CLI_BENCH_HEADING_H
#define CLI_BENCH_HEADING_H

#include <stdbool.h>

/* Prints machine and version as text, or the beginning of a JSON object up to its array `rows`. */
void abut_bench_print_heading(bool json, const char *rows, unsigned long long seed);

#endif
