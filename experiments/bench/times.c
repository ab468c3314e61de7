/* Computes least, mean, median and 99th percentile of the times of steps. */
#include "experiments/bench/times.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/sort.h"

AbutStatus abut_bench_times_open(AbutBenchTimes *times, const AbutBenchRuns *runs, AbutError *error)
{
	const size_t n = (size_t)runs->steps;
	*times = (AbutBenchTimes){.steps = runs->steps, .now = calloc(3 * n + (size_t)runs->runs, sizeof *times->now)};
	if (!times->now) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while timing a world");
	}
	times->least = times->now + n;
	times->iterations = times->least + n;
	times->medians = times->iterations + n;
	abut_bench_times_restart(times);
	return ABUT_OK;
}

void abut_bench_times_close(AbutBenchTimes *times)
{
	free(times->now);
	*times = (AbutBenchTimes){.now = NULL};
}

void abut_bench_times_restart(AbutBenchTimes *times)
{
	for (long k = 0; k < times->steps; k++) {
		times->least[k] = INFINITY;
	}
}

void abut_bench_times_keep(AbutBenchTimes *times, long k, double us, const AbutStepInfo *info)
{
	times->now[k] = us;
	times->least[k] = fmin(times->least[k], us);
	times->iterations[k] = info->iterations;
}

void abut_bench_times_end_run(AbutBenchTimes *times)
{
	abut_sort_numbers(times->now, (size_t)times->steps);
	times->medians[times->runs++] = times->now[times->steps / 2];
}

double abut_bench_times_mean(const AbutBenchTimes *times)
{
	double sum = 0.0;
	for (long k = 0; k < times->steps; k++) {
		sum += times->least[k];
	}
	return sum / (double)times->steps;
}

void abut_bench_times_sum_up(AbutBenchTimes *times, AbutBenchResult *result)
{
	const long last = (99 * times->steps) / 100;
	abut_sort_numbers(times->medians, (size_t)times->runs);
	abut_sort_numbers(times->least, (size_t)times->steps);
	abut_sort_numbers(times->iterations, (size_t)times->steps);
	result->step_time_us_mean = abut_bench_times_mean(times);
	result->step_time_us_median = times->medians[times->runs / 2];
	result->step_time_us_p99 = times->least[last];
	result->iterations_p99 = times->iterations[last];
	result->iterations_mean /= (double)result->steps;
	result->exact_share /= (double)result->steps;
}
