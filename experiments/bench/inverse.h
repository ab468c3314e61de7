/* How often a second contact impulses are found from velocities, by the barriers of solver/soft/barrier_contact.h: the
 * measurement of Todorov, ICRA 2011, table 1. */
#ifndef EXPERIMENTS_BENCH_INVERSE_H
#define EXPERIMENTS_BENCH_INVERSE_H

#include "abut/status.h"

typedef struct AbutInverseResult {
	int contacts;
	double per_second;      /* over the states, each with its least time of several rounds */
	double published;       /* the paper's, on a processor of 2008 */
	double iterations_mean; /* of the contact that takes most */
	double largest_error;   /* of the velocities without contact, against those that the way forward was given */
	int unsolved;           /* states */
} AbutInverseResult;

int abut_bench_inverse_count(void);
/* Case `index`; `error` may be NULL. ABUT_ERROR_MEMORY. */
AbutStatus abut_bench_inverse_run(int index, unsigned long long seed, AbutInverseResult *out, AbutError *error);

#endif
