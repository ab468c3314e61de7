/* Measures how many times per second contact impulses are computed from velocities, with the barriers of
 * solver/soft/barrier_contact.h (Todorov, ICRA 2011, table 1). */
#pragma once

#include "abut/status.h"

typedef struct AbutInverseResult {
	int contacts;
	double per_second;      /* mean over the states; the time of a state is the least of several rounds */
	double published;       /* published value, on a processor of 2008 */
	double iterations_mean; /* mean over the states, of the slowest contact */
	double largest_error;   /* of the velocities without contact, against those given to the forward solution */
	int unsolved;           /* number of states */
} AbutInverseResult;

extern const int abut_bench_inverse_count;
/* Runs case `index`. `error` may be NULL. Returns ABUT_ERROR_MEMORY when out of memory. */
AbutStatus abut_bench_inverse_run(int index, unsigned long long seed, AbutInverseResult *out, AbutError *error);
