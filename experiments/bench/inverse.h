/* Measures how many times a second contact impulses are computed from velocities, with the barriers of
 * solver/soft/barrier_contact.h: table 1 of Todorov, ICRA 2011. */
#ifndef EXPERIMENTS_BENCH_INVERSE_H
#define EXPERIMENTS_BENCH_INVERSE_H

#include "abut/status.h"

typedef struct AbutInverseResult {
	int contacts;
	double per_second;      /* over the states, each with its least time of several rounds */
	double published;       /* published value, on a processor of 2008 */
	double iterations_mean; /* of the slowest contact */
	double largest_error; /* of the velocities without contact, compared with those given to the forward solution */
	int unsolved;         /* states */
} AbutInverseResult;

int abut_bench_inverse_count(void);
/* Runs case `index`; `error` may be NULL. ABUT_ERROR_MEMORY. */
AbutStatus abut_bench_inverse_run(int index, unsigned long long seed, AbutInverseResult *out, AbutError *error);

#endif
