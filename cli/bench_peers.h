/* The verb's second half: abut bench peers [NAME]. */
#ifndef CLI_BENCH_PEERS_H
#define CLI_BENCH_PEERS_H

#include <stdbool.h>

/* The exit status. `name` is NULL, or what the names of the cases start with; `quick` takes a few steps of each. */
int abut_bench_peers(const char *name, bool json, bool quick, unsigned long long seed);

#endif
