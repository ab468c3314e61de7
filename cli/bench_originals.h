/* The verb's part: abut bench originals [NAME]. */
#ifndef CLI_BENCH_ORIGINALS_H
#define CLI_BENCH_ORIGINALS_H

#include <stdbool.h>

/* The exit status. `name` is NULL, or what the names of the cases start with; `quick` takes a few steps of each. */
int abut_bench_originals(const char *name, bool json, bool quick, unsigned long long seed);

#endif
