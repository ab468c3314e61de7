/* Times of a single world. */
#include "experiments/bench/world.h"

#include "base/clock.h"
#include "base/error.h"
#include "experiments/bench/times.h"

typedef struct World {
	AbutState *initial, *state;
	AbutWorkspace *workspace;
	AbutBenchTimes times;
} World;

static void run_once(const AbutModel *model, const AbutBenchRuns *runs, World *world, AbutBenchResult *result)
{
	AbutStepInfo info = {.outcome = ABUT_OUTCOME_EXACT};
	AbutRng rng = abut_rng_stream(runs->seed, 0);
	abut_state_copy(model, world->initial, world->state);
	for (long k = -runs->settle; k < runs->steps; k++) {
		const bool kicked = k >= 0 && runs->kick_interval > 0 && k % runs->kick_interval == 0;
		if (kicked) {
			abut_bench_push(model, runs, runs->kick, &rng, world->state);
		}
		const double begin = abut_now_us();
		abut_step(model, world->state, world->workspace, &info);
		const double time = abut_now_us() - begin;
		if (kicked) {
			abut_bench_push(model, runs, 0.0, &rng, world->state);
		}
		if (k >= 0) {
			abut_bench_times_keep(&world->times, k, time, &info);
			abut_bench_add_step(&info, result);
		}
	}
}

static void run_all(const AbutModel *model, const AbutBenchRuns *runs, World *world, AbutBenchResult *result)
{
	AbutBenchResult warming = {.name = NULL};
	if (runs->settle == 0) {
		run_once(model, runs, world, &warming);
		abut_bench_times_restart(&world->times);
	}
	for (int i = 0; i < runs->runs; i++) {
		run_once(model, runs, world, result);
		abut_bench_times_end_run(&world->times);
	}
	abut_bench_times_sum_up(&world->times, result);
}

AbutStatus abut_bench_world(const AbutModel *model, const AbutBenchRuns *runs, AbutBenchResult *result,
                            AbutError *error)
{
	World world = {NULL};
	AbutStatus status = abut_bench_times_open(&world.times, runs, error);
	ABUT_THEN(status, abut_state_create(model, &world.initial, error));
	ABUT_THEN(status, abut_state_create(model, &world.state, error));
	ABUT_THEN(status, abut_workspace_create(model, &world.workspace, error));
	if (status == ABUT_OK) {
		run_all(model, runs, &world, result);
	}
	abut_workspace_destroy(world.workspace);
	abut_state_destroy(world.state);
	abut_state_destroy(world.initial);
	abut_bench_times_close(&world.times);
	return status;
}
