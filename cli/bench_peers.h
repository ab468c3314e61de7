/* abut bench peers */
#ifndef CLI_BENCH_PEERS_H
#define CLI_BENCH_PEERS_H

#include <stdbool.h>

/* Compares Abut with the other engines; `quick`: a few steps of each case. Returns the exit status. */
int abut_bench_peers(bool json, bool quick, unsigned long long seed);

#endif
