/* The output of abut bench peers --json. */
#ifndef CLI_BENCH_PEERS_JSON_H
#define CLI_BENCH_PEERS_JSON_H

#include "experiments/peers/comparison.h"

void abut_print_peers_json(const AbutPeerComparison *comparison, const char *machine, unsigned long long seed);

#endif
