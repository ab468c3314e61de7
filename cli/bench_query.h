/* The verb's third part: abut bench query. */
#ifndef CLI_BENCH_QUERY_H
#define CLI_BENCH_QUERY_H

#include <stdbool.h>

/* The exit status; `quick` asks a few poses of each pair. */
int abut_bench_query(bool json, bool quick, unsigned long long seed);

#endif
