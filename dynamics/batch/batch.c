/* Steps many worlds of one model. Each world has its own state, each thread its own workspace; the thread pool assigns
 * worlds to threads. */
#include "abut/arrays.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/thread_pool.h"
#include "base/vec3.h"
#include "dynamics/model/model.h"
#include "dynamics/state/motors.h"
#include "dynamics/state/state.h"
#include "dynamics/step/workspace.h"

typedef struct World {
	AbutState *state;
	AbutStepInfo info;   /* info of the last step */
	AbutOutcome outcome; /* worst outcome of the last call */
} World;

struct AbutBatch {
	const AbutModel *model;
	int n_worlds, n_threads, steps; /* steps: of the present call */
	World *worlds;                  /* (n_worlds) */
	AbutWorkspace **workspaces;     /* (n_threads) */
	AbutThreadPool *pool;
	AbutStopper stop;
	atomic_bool broken_off; /* a world has not taken all steps of the present call */
};

AbutStatus abut_batch_create(const AbutModel *model, int n_worlds, int n_threads, AbutBatch **out, AbutError *error)
{
	if (!model || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "model and out must not be NULL");
	}
	*out = NULL;
	if (n_worlds < 1 || n_threads < 0) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "%d worlds on %d threads: there must be at least 1 world, and 0 threads or more",
		                      n_worlds, n_threads);
	}
	const int wanted = n_threads > 0 ? n_threads : abut_thread_cores();
	AbutBatch *batch = calloc(1, sizeof *batch);
	if (!batch) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while making a batch");
	}
	batch->model = model;
	batch->n_worlds = n_worlds;
	batch->n_threads = wanted < n_worlds ? wanted : n_worlds;
	batch->worlds = calloc((size_t)n_worlds, sizeof *batch->worlds);
	batch->workspaces = calloc((size_t)batch->n_threads, sizeof(AbutWorkspace *));
	AbutStatus status = ABUT_OK;
	if (!batch->worlds || !batch->workspaces) {
		status =
		    abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while making %d worlds", n_worlds);
	}
	ABUT_THEN(status, abut_thread_pool_create(batch->n_threads, &batch->pool, error));
	for (int i = 0; status == ABUT_OK && i < batch->n_threads; i++) {
		status = abut_workspace_create(model, &batch->workspaces[i], error);
	}
	for (int i = 0; status == ABUT_OK && i < n_worlds; i++) {
		status = abut_state_create(model, &batch->worlds[i].state, error);
	}
	if (status != ABUT_OK) {
		abut_batch_destroy(batch);
		return status;
	}
	*out = batch;
	return ABUT_OK;
}

void abut_batch_destroy(AbutBatch *batch)
{
	if (!batch) {
		return;
	}
	abut_thread_pool_destroy(batch->pool);
	for (int i = 0; batch->workspaces && i < batch->n_threads; i++) {
		abut_workspace_destroy(batch->workspaces[i]);
	}
	for (int i = 0; batch->worlds && i < batch->n_worlds; i++) {
		abut_state_destroy(batch->worlds[i].state);
	}
	free(batch->workspaces);
	free(batch->worlds);
	free(batch);
}

void abut_batch_set_stop(AbutBatch *batch, const AbutStop *stop)
{
	AbutStopper *const asked = stop ? &batch->stop : NULL;
	abut_stopper_set(&batch->stop, stop);
	abut_thread_pool_set_stop(batch->pool, asked);
	for (int i = 0; i < batch->n_threads; i++) {
		batch->workspaces[i]->stop = asked;
	}
}

int abut_batch_world_count(const AbutBatch *batch)
{
	return batch->n_worlds;
}

int abut_batch_thread_count(const AbutBatch *batch)
{
	return batch->n_threads;
}

static bool has_world(const AbutBatch *batch, int world)
{
	return batch && world >= 0 && world < batch->n_worlds;
}

AbutState *abut_batch_state(AbutBatch *batch, int world)
{
	return has_world(batch, world) ? batch->worlds[world].state : NULL;
}

/* Takes all steps of one world, and stops if one fails or the call is stopped. Uses a local info, since several threads
 * may write to one cache line of the array. */
static void step_world(void *context, int index, int thread)
{
	AbutBatch *batch = context;
	World *world = &batch->worlds[index];
	if (world->info.outcome == ABUT_OUTCOME_FAILED) {
		return;
	}
	AbutStepInfo done = world->info;
	AbutOutcome worst = ABUT_OUTCOME_EXACT;
	int taken = 0;
	for (; taken < batch->steps && worst != ABUT_OUTCOME_FAILED; taken++) {
		AbutStepInfo info = {.tries = 0};
		if (abut_step(batch->model, world->state, batch->workspaces[thread], &info) == ABUT_ERROR_STOPPED) {
			atomic_store(&batch->broken_off, true);
			break;
		}
		done = info;
		worst = info.outcome > worst ? info.outcome : worst;
	}
	if (taken > 0) {
		world->info = done;
		world->outcome = worst;
	}
}

AbutStatus abut_batch_step(AbutBatch *batch, int steps)
{
	if (!batch || steps < 1) {
		return ABUT_ERROR_ARGUMENT;
	}
	batch->steps = steps;
	atomic_store(&batch->broken_off, false);
	abut_stopper_begin(&batch->stop);
	abut_thread_pool_run(batch->pool, batch->n_worlds, step_world, batch);
	return atomic_load(&batch->broken_off) ? ABUT_ERROR_STOPPED : ABUT_OK;
}

AbutStatus abut_batch_restart(AbutBatch *batch, int world)
{
	if (!has_world(batch, world)) {
		return ABUT_ERROR_ARGUMENT;
	}
	batch->worlds[world].info = (AbutStepInfo){.outcome = ABUT_OUTCOME_EXACT};
	batch->worlds[world].outcome = ABUT_OUTCOME_EXACT;
	return ABUT_OK;
}

AbutStatus abut_batch_info(const AbutBatch *batch, int world, AbutStepInfo *out)
{
	if (!has_world(batch, world) || !out) {
		return ABUT_ERROR_ARGUMENT;
	}
	*out = batch->worlds[world].info;
	return ABUT_OK;
}

AbutStatus abut_batch_outcome(const AbutBatch *batch, int world, AbutOutcome *out)
{
	if (!has_world(batch, world) || !out) {
		return ABUT_ERROR_ARGUMENT;
	}
	*out = batch->worlds[world].outcome;
	return ABUT_OK;
}

AbutStatus abut_batch_get_states(const AbutBatch *batch, double *out)
{
	if (!batch || !out) {
		return ABUT_ERROR_ARGUMENT;
	}
	for (int i = 0; i < batch->n_worlds; i++) {
		abut_state_get_bodies(batch->model, batch->worlds[i].state, out);
		out += (size_t)batch->model->n_bodies * ABUT_STATE_NUMBERS;
	}
	return ABUT_OK;
}

AbutStatus abut_batch_get_joints(const AbutBatch *batch, AbutJointState *out)
{
	AbutStatus status = batch ? ABUT_OK : ABUT_ERROR_ARGUMENT;
	for (int i = 0; status == ABUT_OK && i < batch->n_worlds; i++) {
		status = abut_joint_get_all(batch->model, batch->worlds[i].state,
		                            out + (size_t)i * (size_t)batch->model->joints.n);
	}
	return status;
}

AbutStatus abut_batch_get_sensors(const AbutBatch *batch, double *out)
{
	AbutStatus status = batch ? ABUT_OK : ABUT_ERROR_ARGUMENT;
	for (int i = 0; status == ABUT_OK && i < batch->n_worlds; i++) {
		status = abut_sensor_get_all(batch->model, batch->worlds[i].state,
		                             out + (size_t)i * (size_t)batch->model->sensors.n_values);
	}
	return status;
}

AbutStatus abut_batch_set_motors(AbutBatch *batch, const double *targets)
{
	if (!batch || !targets) {
		return ABUT_ERROR_ARGUMENT;
	}
	const size_t of_world = (size_t)batch->model->joints.n * ABUT_JOINT_FREEDOMS;
	for (size_t i = 0; i < (size_t)batch->n_worlds * of_world; i++) {
		const int own = (int)(i % of_world);
		if (!abut_state_target_possible(batch->model, own / ABUT_JOINT_FREEDOMS, own % ABUT_JOINT_FREEDOMS,
		                                targets[i])) {
			return ABUT_ERROR_ARGUMENT;
		}
	}
	for (int i = 0; i < batch->n_worlds; i++) {
		memcpy(batch->worlds[i].state->targets, &targets[(size_t)i * of_world], of_world * sizeof *targets);
	}
	return ABUT_OK;
}

AbutStatus abut_batch_set_inputs(AbutBatch *batch, const double *force_torque)
{
	if (!batch || !force_torque) {
		return ABUT_ERROR_ARGUMENT;
	}
	const size_t n_bodies = (size_t)batch->model->n_bodies, n_worlds = (size_t)batch->n_worlds;
	for (size_t i = 0; i < n_worlds * n_bodies; i++) {
		const double *input = &force_torque[6 * i];
		if (!abut_state_input_possible(batch->model, (int)(i % n_bodies), input, input + 3)) {
			return ABUT_ERROR_ARGUMENT;
		}
	}
	for (size_t i = 0; i < n_worlds * n_bodies; i++) {
		const double *input = &force_torque[6 * i];
		const AbutState *state = batch->worlds[i / n_bodies].state;
		abut_copy3(input, &state->force[3 * (i % n_bodies)]);
		abut_copy3(input + 3, &state->torque[3 * (i % n_bodies)]);
	}
	return ABUT_OK;
}
