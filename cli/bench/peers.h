/* `abut bench peers`: the same scenes in Abut and in other engines. */
#ifndef CLI_BENCH_PEERS_H
#define CLI_BENCH_PEERS_H

#include <stdbool.h>

/* Runs and prints the cases whose names start with `name` (NULL: all), with few steps if `quick`. Returns the exit
 * status. */
int abut_bench_peers(const char *name, bool json, bool quick, unsigned long long seed);

#endif
