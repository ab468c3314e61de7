#include "experiments/sweep/run_point.h"

#include <stdio.h>

#include "base/clock.h"
#include "experiments/setting/world.h"
#include "experiments/sweep/grid.h"

static AbutStatus open_scene(const AbutSweep *sweep, long run, AbutScene **scene, AbutError *error)
{
	AbutSweepPoint point;
	AbutStatus status = abut_sweep_point_of_run(sweep, run, &point, error);
	if (status == ABUT_OK) {
		status = abut_sweep_point_scene(&point, scene, error);
		abut_sweep_point_free(&point);
	}
	return status;
}

static AbutStatus open_world(const AbutSweep *sweep, long run, pthread_mutex_t *text, AbutScene **scene,
                             AbutWorld *world, AbutError *error)
{
	pthread_mutex_lock(text);
	const AbutStatus status = open_scene(sweep, run, scene, error);
	pthread_mutex_unlock(text);
	return status == ABUT_OK ? abut_world_open(world, abut_scene_def(*scene), error) : status;
}

/* On one line, without what would break a table. */
static void set_message(AbutSweepResult *result, const char *where, const char *message)
{
	snprintf(result->message, sizeof result->message, "%s%s%s", where, where[0] ? ": " : "", message);
	for (char *c = result->message; *c; c++) {
		*c = (char)((unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c);
	}
}

static AbutStatus simulate(const AbutScene *scene, const AbutWorld *world, double stands_within,
                           AbutSweepResult *result, AbutError *error)
{
	AbutSweepObservation observation;
	AbutStatus status = abut_sweep_observation_begin(world->model, world->state, stands_within, &result->measures,
	                                                 &observation, error);
	if (status != ABUT_OK) {
		return status;
	}
	const AbutRunObserver observer = {abut_sweep_observe, &observation, false};
	status = abut_run(world->model, world->state, world->workspace, abut_run_steps(abut_scene_def(scene)),
	                  &observer, 1, &result->summary, error);
	abut_sweep_observation_end(&observation);
	if (status == ABUT_OK) {
		result->outcome = result->summary.failed_steps > 0 ? ABUT_RUN_FAILED : ABUT_RUN_DONE;
		result->state_digest = abut_sweep_state_digest(world->model, world->state);
		set_message(result, "", result->summary.failure);
	}
	return status;
}

AbutStatus abut_sweep_run_point(const AbutSweep *sweep, long run, pthread_mutex_t *text, AbutSweepResult *result,
                                AbutError *error)
{
	AbutScene *scene = NULL;
	AbutWorld world = {NULL};
	const double start = abut_now_us();
	*result = (AbutSweepResult){.outcome = ABUT_RUN_DONE};
	AbutStatus status = open_world(sweep, run, text, &scene, &world, error);
	result->setup_time_s = 1e-6 * (abut_now_us() - start);
	if (status == ABUT_OK) {
		status = simulate(scene, &world, sweep->stands_within, result, error);
	}
	abut_world_close(&world);
	abut_scene_destroy(scene);
	if (status == ABUT_OK || status == ABUT_ERROR_MEMORY) {
		return status;
	}
	*result = (AbutSweepResult){.outcome = ABUT_RUN_REFUSED};
	set_message(result, error->where, error->message);
	return ABUT_OK;
}
