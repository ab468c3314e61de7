/* Measures the step times of batches. */
#include "experiments/bench/batch.h"

#include <math.h>
#include <stdlib.h>

#include "abut/batch.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/sort.h"

/* Resets every world to `start`, each with its own random turn and spin. */
static void throw(const AbutModel *model, AbutBatch *batch, const AbutBodyState *start, unsigned long long seed)
{
	for (int i = 0; i < abut_batch_world_count(batch); i++) {
		AbutRng rng = abut_rng_stream(seed, (unsigned)i);
		AbutBodyState body = *start;
		abut_rng_rotation(&rng, body.orientation);
		for (int k = 0; k < 3; k++) {
			body.angular_velocity[k] = abut_rng_uniform(&rng, -2.0, 2.0);
		}
		abut_state_set_body(model, abut_batch_state(batch, i), 1, &body);
		abut_batch_restart(batch, i);
	}
}

static void count(const AbutBatch *batch, AbutBenchResult *result)
{
	for (int i = 0; i < abut_batch_world_count(batch); i++) {
		AbutStepInfo info;
		abut_batch_info(batch, i, &info);
		abut_bench_add_step(&info, result);
	}
}

/* Times one run into `times` (steps): us for each step and world. */
static void run(AbutBatch *batch, long steps, double *times, AbutBenchResult *result)
{
	for (long n = 0; n < steps; n++) {
		const double begin = abut_now_us();
		abut_batch_step(batch, 1);
		times[n] = (abut_now_us() - begin) / abut_batch_world_count(batch);
		count(batch, result);
	}
}

AbutStatus abut_bench_batch(const AbutModel *model, int n_worlds, int n_threads, unsigned long long seed, long steps,
                            int runs, AbutBenchResult *result, AbutError *error)
{
	AbutBatch *batch = NULL;
	AbutBodyState start;
	const size_t n_times = (size_t)runs * (size_t)steps;
	double *times = calloc(n_times, sizeof *times);
	if (!times) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while timing a batch");
	}
	const AbutStatus status = abut_batch_create(model, n_worlds, n_threads, &batch, error);
	if (status == ABUT_OK) {
		AbutBenchResult warming = {.name = NULL};
		abut_state_get_body(model, abut_batch_state(batch, 0), 1, &start);
		throw(model, batch, &start, seed);
		run(batch, steps, times, &warming);
		for (int i = 0; i < runs; i++) {
			throw(model, batch, &start, seed);
			run(batch, steps, &times[i * steps], result);
		}
		for (size_t i = 0; i < n_times; i++) {
			result->step_time_us_mean += times[i] / (double)n_times;
		}
		abut_sort_numbers(times, n_times);
		result->step_time_us_median = times[n_times / 2];
		result->step_time_us_p99 = times[(99 * n_times) / 100];
		result->iterations_mean /= (double)result->steps;
		result->iterations_p99 = NAN;
		result->exact_share /= (double)result->steps;
	}
	abut_batch_destroy(batch);
	free(times);
	return status;
}
