/* Times of queries, a hundred at a time. */
#include "experiments/bench_query.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/sort.h"
#include "base/vec3.h"

enum { BLOCK = 100, BLOCKS = 50, RUNS = 4, QUERIES = BLOCK * BLOCKS };

static const double relaxed_kappa = 1e-6, slow_move = 2e-3;

typedef struct Poses {
	AbutPose a[QUERIES], b[QUERIES];
} Poses;

static void draw(const AbutShape *a, const AbutShape *b, AbutBenchQuery query, AbutRng *rng, Poses *poses)
{
	const double sizes = 0.5 * (a->outer_radius + b->outer_radius);
	for (int k = 0; k < QUERIES; k++) {
		double line[3];
		poses->a[k] = poses->b[k] = (AbutPose){.orientation = {1.0, 0.0, 0.0, 0.0}};
		abut_rng_rotation(rng, poses->a[k].orientation);
		abut_rng_rotation(rng, poses->b[k].orientation);
		for (int i = 0; i < 3; i++) {
			line[i] = abut_rng_normal(rng);
		}
		const double distance = sizes * abut_rng_uniform(rng, 0.6, 1.6) / abut_norm3(line);
		for (int i = 0; i < 3; i++) {
			poses->b[k].position[i] = distance * line[i];
		}
		if (query == ABUT_BENCH_QUERY_WARM && k % BLOCK > 0) { /* to and fro along x */
			poses->a[k] = poses->a[k - 1];
			poses->b[k] = poses->b[k - 1];
			poses->b[k].position[0] += k / 10 % 2 ? -slow_move : slow_move;
		}
	}
}

typedef struct Run {
	AbutCollision *collision;
	const Poses *poses;
	AbutBenchQuery query;
} Run;

static void ask(const Run *run, int k, AbutCollisionResult *out)
{
	const bool exact = run->query == ABUT_BENCH_QUERY_COLD || run->query == ABUT_BENCH_QUERY_WARM;
	if (run->query != ABUT_BENCH_QUERY_WARM) {
		abut_collision_forget(run->collision);
	}
	abut_collision_solve(run->collision, &run->poses->a[k], &run->poses->b[k], exact ? 0.0 : relaxed_kappa, out,
	                     NULL);
}

static double time_block(const Run *run, int block, AbutBenchResult *result)
{
	AbutCollisionResult out[BLOCK];
	AbutCollisionGradient gradient;
	double begin = abut_now_us();
	for (int k = 0; k < BLOCK; k++) {
		ask(run, block * BLOCK + k, &out[k]);
	}
	double time = abut_now_us() - begin;
	if (run->query == ABUT_BENCH_QUERY_GRADIENT) {
		begin = abut_now_us();
		for (int k = 0; k < BLOCK; k++) {
			abut_collision_gradient(run->collision, &gradient, NULL);
		}
		time = abut_now_us() - begin;
	}
	for (int k = 0; k < BLOCK; k++) {
		result->steps++;
		result->iterations_mean += out[k].iterations;
		result->exact_share += out[k].outcome == ABUT_OUTCOME_EXACT;
		result->failed_steps += out[k].outcome == ABUT_OUTCOME_FAILED;
	}
	return time / BLOCK;
}

static void run_all(const Run *run, AbutBenchResult *result)
{
	double least[BLOCKS], times[BLOCKS], medians[RUNS];
	AbutBenchResult warming = {.name = NULL};
	for (int i = 0; i < BLOCKS; i++) {
		least[i] = time_block(run, i, &warming);
	}
	for (int r = 0; r < RUNS; r++) {
		for (int i = 0; i < BLOCKS; i++) {
			times[i] = time_block(run, i, result);
			least[i] = fmin(least[i], times[i]);
		}
		abut_sort_numbers(times, BLOCKS);
		medians[r] = times[BLOCKS / 2];
	}
	abut_sort_numbers(medians, RUNS);
	abut_sort_numbers(least, BLOCKS);
	for (int i = 0; i < BLOCKS; i++) {
		result->step_time_us_mean += least[i] / BLOCKS;
	}
	result->step_time_us_median = medians[RUNS / 2];
	result->step_time_us_p99 = least[BLOCKS - 1];
	result->iterations_mean /= (double)result->steps;
	result->iterations_p99 = NAN;
	result->exact_share /= (double)result->steps;
}

AbutStatus abut_bench_query(const AbutShape *a, const AbutShape *b, AbutBenchQuery query, unsigned long long seed,
                            AbutBenchResult *result, AbutError *error)
{
	AbutRng rng = abut_rng_stream(seed, 0);
	Poses *poses = malloc(sizeof *poses);
	Run run = {.poses = poses, .query = query};
	if (!poses) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while timing queries");
	}
	const AbutStatus status = abut_collision_create(a, b, &run.collision, error);
	if (status == ABUT_OK) {
		draw(a, b, query, &rng, poses);
		run_all(&run, result);
	}
	abut_collision_destroy(run.collision);
	free(poses);
	return status;
}
