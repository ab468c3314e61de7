/* The verb's fourth part: abut bench inverse. */
#ifndef CLI_BENCH_INVERSE_H
#define CLI_BENCH_INVERSE_H

#include <stdbool.h>

/* The exit status: ABUT_EXIT_CHECK when a state has no solution. */
int abut_bench_inverse(bool json, unsigned long long seed);

#endif
