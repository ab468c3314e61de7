/* Writes a state as numbers and restores it. The numbers are everything on which the next steps depend, bit for bit.
 * Tested in tests/dynamics/state/test_snapshot.c. */
#include "dynamics/state/snapshot.h"

#include <string.h>

#include "base/error.h"
#include "dynamics/state/memory.h"
#include "dynamics/state/snapshot_check.h"
#include "dynamics/state/state.h"

/* --- writing --- */

size_t abut_state_snapshot_size(const AbutModel *model, const AbutState *state)
{
	if (!model || !state || state->model != model) {
		return 0;
	}
	const AbutContactStore *store = &state->store;
	return abut_snapshot_contacts(model) + (size_t)ABUT_SNAPSHOT_CONTACT * (size_t)store->n + (size_t)store->n_y +
	       (size_t)store->n_z;
}

static double *put(double *out, const double *values, int n)
{
	memcpy(out, values, (size_t)n * sizeof *out);
	return out + n;
}

static double *put_body(double *out, const AbutState *state, int body)
{
	const AbutMotion *motion = &state->motion[body];
	out = put(out, motion->at.position, 3);
	out = put(out, motion->at.orientation, 4);
	out = put(out, motion->at.linear_velocity, 3);
	out = put(out, motion->at.angular_velocity, 3);
	out = put(out, motion->past_velocity[0], 12);
	out = put(out, &motion->last_timestep, 1);
	out = put(out, &state->force[3 * body], 3);
	return put(out, &state->torque[3 * body], 3);
}

static double *put_contact(double *out, const AbutContactStore *store, int index)
{
	const AbutContactMemory *entry = &store->entries[index];
	const double head[] = {entry->part[0], entry->part[1], entry->solved, entry->n_y, entry->n_z, entry->alpha};
	out = put(out, head, ABUT_SNAPSHOT_NORMAL);
	out = put(out, entry->normal, 3);
	out = put(out, &store->y[entry->y], entry->n_y);
	return put(out, &store->z[entry->z], entry->n_z);
}

AbutStatus abut_state_snapshot(const AbutModel *model, const AbutState *state, double *out)
{
	if (!model || !state || !out || state->model != model) {
		return ABUT_ERROR_ARGUMENT;
	}
	const AbutUnits *units = &model->units;
	const double head[ABUT_SNAPSHOT_HEAD] = {
	    [ABUT_SNAPSHOT_LAYOUT] = ABUT_SNAPSHOT_VERSION,
	    [ABUT_SNAPSHOT_LENGTH] = (double)abut_state_snapshot_size(model, state),
	    [ABUT_SNAPSHOT_BODIES] = model->n_bodies,
	    [ABUT_SNAPSHOT_CONTACTS] = state->store.n,
	    [ABUT_SNAPSHOT_STEPS] = (double)state->steps,
	    [ABUT_SNAPSHOT_UNIT_LENGTH] = units->length,
	    [ABUT_SNAPSHOT_UNIT_MASS] = units->mass,
	    [ABUT_SNAPSHOT_UNIT_TIME] = units->time};
	out = put(out, head, ABUT_SNAPSHOT_HEAD);
	for (int i = 0; i < model->n_bodies; i++) {
		out = put_body(out, state, i);
	}
	for (int i = 0; i < model->joints.n; i++) {
		out = put(out, (const double *)(const void *)&state->joints[i], ABUT_JOINT_NUMBERS);
		out = put(out, &state->targets[ABUT_JOINT_FREEDOMS * i], ABUT_JOINT_FREEDOMS);
	}
	for (int i = 0; i < model->joints.n_couplings; i++) {
		out = put(out, (const double *)(const void *)&state->couplings[i], ABUT_COUPLING_NUMBERS);
	}
	out = put(out, state->measured, model->sensors.n_kept);
	for (int i = 0; i < state->store.n; i++) {
		out = put_contact(out, &state->store, i);
	}
	return ABUT_OK;
}

/* --- restoring --- */

static const double *take(const double *in, double *values, int n)
{
	memcpy(values, in, (size_t)n * sizeof *values);
	return in + n;
}

static const double *take_body(const double *in, AbutState *state, int body)
{
	AbutMotion *motion = &state->motion[body];
	in = take(in, motion->at.position, 3);
	in = take(in, motion->at.orientation, 4);
	in = take(in, motion->at.linear_velocity, 3);
	in = take(in, motion->at.angular_velocity, 3);
	in = take(in, motion->past_velocity[0], 12);
	in = take(in, &motion->last_timestep, 1);
	in = take(in, &state->force[3 * body], 3);
	return take(in, &state->torque[3 * body], 3);
}

static const double *take_contact(const double *in, AbutContactStore *store)
{
	const int part[2] = {(int)in[ABUT_SNAPSHOT_PART_A], (int)in[ABUT_SNAPSHOT_PART_B]};
	AbutContactMemory *entry =
	    abut_contact_store_add(store, part, (int)in[ABUT_SNAPSHOT_N_Y], (int)in[ABUT_SNAPSHOT_N_Z]);
	entry->solved = in[ABUT_SNAPSHOT_SOLVED] == 1.0;
	entry->alpha = in[ABUT_SNAPSHOT_ALPHA];
	in = take(in + ABUT_SNAPSHOT_NORMAL, entry->normal, 3);
	in = take(in, &store->y[entry->y], entry->n_y);
	return take(in, &store->z[entry->z], entry->n_z);
}

/* Reserves memory for the contacts before the state is changed. */
static AbutStatus reserve(const AbutSnapshotCheck *check, AbutState *state)
{
	const int n = (int)check->in[ABUT_SNAPSHOT_CONTACTS];
	int n_y = 0, n_z = 0;
	for (size_t i = 0, at = abut_snapshot_contacts(check->model); i < (size_t)n; i++) {
		const int own_y = (int)check->in[at + ABUT_SNAPSHOT_N_Y],
		          own_z = (int)check->in[at + ABUT_SNAPSHOT_N_Z];
		n_y += own_y;
		n_z += own_z;
		at += ABUT_SNAPSHOT_CONTACT + (size_t)own_y + (size_t)own_z;
	}
	return abut_contact_store_reserve(&state->store, n, n_y, n_z) == ABUT_OK
	           ? ABUT_OK
	           : abut_error_set(check->error, ABUT_ERROR_MEMORY, NULL, "out of memory for the state");
}

static AbutStatus restore(const AbutModel *model, AbutState *state, size_t n, const double *in, bool whole,
                          AbutError *error)
{
	if (!model || !state || !in || state->model != model) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "model, state and numbers must not be NULL, and the state must be the model's");
	}
	const AbutSnapshotCheck check = {model, n, in, whole, error};
	ABUT_TRY(abut_snapshot_check(&check));
	if (whole) {
		ABUT_TRY(reserve(&check, state));
	}
	state->steps = (long)in[ABUT_SNAPSHOT_STEPS];
	state->time = (double)state->steps * model->timestep_si;
	const double *rest = in + ABUT_SNAPSHOT_HEAD;
	for (int i = 0; i < model->n_bodies; i++) {
		rest = take_body(rest, state, i);
	}
	for (int i = 0; i < model->joints.n; i++) {
		rest = take(rest, (double *)(void *)&state->joints[i], ABUT_JOINT_NUMBERS);
		rest = take(rest, &state->targets[ABUT_JOINT_FREEDOMS * i], ABUT_JOINT_FREEDOMS);
	}
	for (int i = 0; i < model->joints.n_couplings; i++) {
		rest = take(rest, (double *)(void *)&state->couplings[i], ABUT_COUPLING_NUMBERS);
	}
	rest = take(rest, state->measured, model->sensors.n_kept);
	abut_contact_store_clear(&state->store);
	for (int i = 0; whole && i < (int)in[ABUT_SNAPSHOT_CONTACTS]; i++) {
		rest = take_contact(rest, &state->store);
	}
	return ABUT_OK;
}

AbutStatus abut_state_restore(const AbutModel *model, AbutState *state, size_t n, const double *in, AbutError *error)
{
	return restore(model, state, n, in, true, error);
}

AbutStatus abut_state_restore_motion(const AbutModel *model, AbutState *state, size_t n, const double *in,
                                     AbutError *error)
{
	const AbutStatus status = restore(model, state, n, in, false, error);
	if (status == ABUT_OK) {
		abut_state_drop_warm_start(model, state);
	}
	return status;
}
