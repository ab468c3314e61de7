/* Collects the times of single steps over several equal runs. */
#pragma once

#include "experiments/bench/bench_parts.h"

typedef struct AbutBenchTimes {
	long steps;
	int runs;           /* number of finished runs */
	double *now;        /* us [steps] of the current run */
	double *least;      /* us [steps], least over the runs */
	double *iterations; /* [steps], the same in every run */
	double *medians;    /* us [runs] */
} AbutBenchTimes;

AbutStatus abut_bench_times_open(AbutBenchTimes *times, const AbutBenchRuns *runs, AbutError *error);
void abut_bench_times_close(AbutBenchTimes *times); /* also after a failure */

/* Forgets the times kept so far, which are those of a warm-up run. */
void abut_bench_times_restart(AbutBenchTimes *times);
/* Keeps the time (us) and the iterations of step k of the current run. */
void abut_bench_times_keep(AbutBenchTimes *times, long k, double us, const AbutStepInfo *info);
void abut_bench_times_end_run(AbutBenchTimes *times);

/* Returns the mean of the steps' least times, us. */
double abut_bench_times_mean(const AbutBenchTimes *times);
/* Fills in the times and iterations of `result`, and divides its sums by the number of steps. */
void abut_bench_times_sum_up(AbutBenchTimes *times, AbutBenchResult *result);
