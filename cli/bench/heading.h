/* What all benchmarks begin with: the choice of cases, and a line with machine and version. */
#pragma once

#include <stdbool.h>

/* Prints machine and version as text, or the beginning of a JSON object up to its array `rows`. */
void abut_bench_print_heading(bool json, const char *rows, unsigned long long seed);
/* Returns whether the name of one of the `n` cases starts with `name`. */
bool abut_bench_any_chosen(int n, bool (*chosen)(int index, const char *prefix), const char *name);
