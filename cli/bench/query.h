/* Runs `abut bench query`: measures the times of collision queries. */
#pragma once

#include <stdbool.h>

/* Runs and prints the queries, with few poses of each pair if `quick`. Returns the exit status. */
int abut_bench_query(bool json, bool quick, unsigned long long seed);
