/* Runs `abut bench inverse`: contact impulses from velocities. */
#pragma once

#include <stdbool.h>

/* Runs and prints the cases. Returns the exit status: ABUT_EXIT_CHECK if a state has no solution. */
int abut_bench_inverse(bool json, unsigned long long seed);
