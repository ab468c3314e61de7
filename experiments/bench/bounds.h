/* What the benchmark's figures are to reach. */
#ifndef EXPERIMENTS_BENCH_BOUNDS_H
#define EXPERIMENTS_BENCH_BOUNDS_H

#include "experiments/bench/bench.h"

typedef enum AbutBenchQuantity {
	ABUT_BENCH_TIME,                    /* mean time of a step */
	ABUT_BENCH_TIME_PER_BODY_ITERATION, /* the same, divided by the bodies and by the mean iterations */
	ABUT_BENCH_ITERATIONS,              /* mean */
	ABUT_BENCH_DERIVATIVE               /* mean time that the derivative takes, all of it, over that of the step */
} AbutBenchQuantity;

typedef struct AbutBenchBound {
	AbutBenchQuantity quantity;
	const char *of;   /* a case */
	const char *over; /* the case that `of` is divided by; NULL: nothing */
	double bound;     /* at most */
} AbutBenchBound;

int abut_bench_bound_count(void);
const AbutBenchBound *abut_bench_bound(int index);
const char *abut_bench_quantity_name(AbutBenchQuantity quantity);
/* NaN when a case is not among the `n` results. */
double abut_bench_bound_value(const AbutBenchBound *bound, const AbutBenchResult *results, int n);

#endif
