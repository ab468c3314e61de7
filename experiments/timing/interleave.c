/* Steps several solvers through the same falls in turn and times their steps. */
#include "experiments/timing/interleave.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/grow.h"
#include "experiments/setting/world.h"
#include "experiments/sweep/grid.h"
#include "io/run/run.h"

/* The scene and world of one solver. */
typedef struct World {
	AbutScene *scene;
	AbutWorld at;
} World;

AbutStatus abut_timed_rows_create(const AbutSweep *sweep, int scene, AbutTimedRows *out, AbutError *error)
{
	const int n_axes = sweep->n_axes;
	int n = 1;
	for (int axis = 1; axis < n_axes; axis++) {
		n *= sweep->axes[axis].count;
	}
	*out = (AbutTimedRows){.scene = scene, .count = n, .rows = calloc((size_t)n, sizeof *out->rows)};
	bool good = out->rows != NULL;
	for (int i = 0; good && i < n; i++) {
		int left = i;
		int *values = calloc((size_t)n_axes, sizeof *values);
		out->rows[i].values = values;
		good = values != NULL;
		for (int axis = n_axes - 1; good && axis > 0; axis--) {
			values[axis] = left % sweep->axes[axis].count;
			left /= sweep->axes[axis].count;
		}
		if (good) {
			values[ABUT_SWEEP_SCENE_AXIS] = scene;
		}
	}
	return good ? ABUT_OK : abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the times");
}

void abut_timed_rows_free(AbutTimedRows *rows)
{
	for (int i = 0; rows->rows && i < rows->count; i++) {
		free(rows->rows[i].values);
		free(rows->rows[i].steps);
	}
	free(rows->rows);
	*rows = (AbutTimedRows){.rows = NULL};
}

static void close_world(World *world)
{
	abut_world_close(&world->at);
	abut_scene_destroy(world->scene);
}

static AbutStatus open_world(const AbutSweep *sweep, const int *values, unsigned long long seed, World *world,
                             AbutError *error)
{
	AbutSweepPoint point;
	ABUT_TRY(abut_sweep_point_make(sweep, values, seed, &point, error));
	AbutStatus status = abut_sweep_point_scene(&point, &world->scene, error);
	abut_sweep_point_free(&point);
	ABUT_THEN(status, abut_world_open(&world->at, abut_scene_def(world->scene), error));
	return status;
}

static AbutStatus time_step(const World *world, AbutTimedRow *row, AbutError *error)
{
	AbutStepInfo info = {.outcome = ABUT_OUTCOME_FAILED};
	const double begun = abut_now_us();
	const AbutStatus status = abut_step(world->at.model, world->at.state, world->at.workspace, &info);
	const double us = abut_now_us() - begun;
	if (status != ABUT_OK) {
		return abut_error_set(error, status, NULL, "a step was refused: %s", abut_status_name(status));
	}
	row->steps[row->count++] = (AbutTimedStep){.us = us,
	                                           .iterations = info.iterations,
	                                           .contact = info.active_contacts > 0,
	                                           .failed = info.outcome > ABUT_OUTCOME_RELAXED};
	return ABUT_OK;
}

/* After a failed step, copies the motion of the first world. */
static AbutStatus follow(const World *first, World *world, AbutError *error)
{
	const size_t n = abut_state_snapshot_size(first->at.model, first->at.state);
	double *numbers = malloc(n * sizeof *numbers);
	if (!numbers) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for a state");
	}
	AbutStatus status = abut_state_snapshot(first->at.model, first->at.state, numbers);
	ABUT_THEN(status, abut_state_restore_motion(world->at.model, world->at.state, n, numbers, error));
	free(numbers);
	return status;
}

/* Takes step `k` of all rows. Each step starts with another row, and odd steps go backwards, so that no row always
 * follows the same one. */
static AbutStatus step_all(AbutTimedRows *rows, World *worlds, long k, bool *ended, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < rows->count; i++) {
		const long place = k % 2 == 0 ? i : rows->count - 1 - i;
		const int index = (int)((k / 2 + place) % rows->count);
		status = time_step(&worlds[index], &rows->rows[index], error);
	}
	for (int i = 0; status == ABUT_OK && i < rows->count; i++) {
		AbutTimedRow *row = &rows->rows[i];
		/* A failed step reports no contacts. All rows use the contacts of the first one. */
		row->steps[row->count - 1].contact = rows->rows[0].steps[rows->rows[0].count - 1].contact;
		if (row->steps[row->count - 1].failed) {
			*ended = *ended || i == 0;
			status = i > 0 ? follow(&worlds[0], &worlds[i], error) : status;
		}
	}
	return status;
}

static AbutStatus fall(const AbutSweep *sweep, unsigned long long seed, AbutTimedRows *rows, World *worlds,
                       AbutError *error)
{
	for (int i = 0; i < rows->count; i++) {
		ABUT_TRY(open_world(sweep, rows->rows[i].values, seed, &worlds[i], error));
	}
	const long steps = abut_run_steps(abut_scene_def(worlds[0].scene));
	for (int i = 0; i < rows->count; i++) {
		AbutTimedRow *row = &rows->rows[i];
		if (!abut_grow(&row->steps, &row->capacity, row->count + (int)steps, sizeof *row->steps)) {
			return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the times");
		}
	}
	AbutStatus status = ABUT_OK;
	bool ended = false;
	for (long k = 0; status == ABUT_OK && k < steps && !ended; k++) {
		status = step_all(rows, worlds, k, &ended, error);
	}
	return status;
}

AbutStatus abut_timed_fall(const AbutSweep *sweep, unsigned long long seed, AbutTimedRows *rows, AbutError *error)
{
	World *worlds = calloc((size_t)rows->count, sizeof *worlds);
	if (!worlds) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the worlds");
	}
	const AbutStatus status = fall(sweep, seed, rows, worlds, error);
	for (int i = 0; i < rows->count; i++) {
		close_world(&worlds[i]);
	}
	free(worlds);
	return status;
}
