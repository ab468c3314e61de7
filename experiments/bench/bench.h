/* Runs the benchmark: fixed cases, each with the time and iterations of a step. */
#pragma once

#include "experiments/bench/bench_parts.h"

enum { ABUT_BENCH_MAX = 70, ABUT_BENCH_MACHINE_SIZE = 128 };

extern const int abut_bench_count; /* at most ABUT_BENCH_MAX */
const char *abut_bench_name(int index);
/* Returns whether the name of the case starts with `prefix`; NULL selects all. The largest cases must be named in full.
 */
bool abut_bench_chosen(int index, const char *prefix);
/* Runs case `index`. `seed` determines the random turns of falling bodies and the kicks of towers. `error` may be NULL.
 */
AbutStatus abut_bench_run(int index, unsigned long long seed, AbutBenchResult *result, AbutError *error);
/* Writes the processor's name and the number of its cores. */
void abut_bench_machine(char out[ABUT_BENCH_MACHINE_SIZE]);

typedef enum AbutBenchQuantity {
	ABUT_BENCH_TIME,                    /* mean time of a step */
	ABUT_BENCH_TIME_PER_BODY_ITERATION, /* mean time, divided by the number of bodies and the mean iterations */
	ABUT_BENCH_ITERATIONS,              /* mean iterations */
	ABUT_BENCH_DERIVATIVE               /* mean time of the derivative, divided by that of the step */
} AbutBenchQuantity;

typedef struct AbutBenchBound {
	AbutBenchQuantity quantity;
	const char *of;   /* name of a case */
	const char *over; /* case whose value divides that of `of`; NULL: none */
	double bound;     /* largest allowed value */
} AbutBenchBound;

extern const int abut_bench_bound_count;
extern const AbutBenchBound abut_bench_bounds[]; /* (abut_bench_bound_count) */
const char *abut_bench_quantity_name(AbutBenchQuantity quantity);
/* Computes the value of a bound; NaN if a case is not among the `n` results. */
double abut_bench_bound_value(const AbutBenchBound *bound, const AbutBenchResult *results, int n);
