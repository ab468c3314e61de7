/* Creates and copies the state of a world, and gives access to its motion and inputs. A run continued from a copy gives
 * the same results, bit for bit. */
#include "dynamics/state/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/model/check.h"
#include "dynamics/model/joint.h"
#include "dynamics/model/model.h"
#include "dynamics/model/pair.h"
#include "dynamics/state/joint_state.h"

void abut_state_drop_warm_start(const AbutModel *model, AbutState *state)
{
	abut_contact_store_clear(&state->store);
	for (int i = 0; i < model->n_bodies; i++) {
		state->motion[i].last_timestep = 0.0;
	}
	for (int i = 0; i < model->joints.n; i++) {
		state->joints[i].timestep = 0.0;
	}
}

static void centre_offset(const AbutModel *model, int body, const double q[4], double out[3])
{
	double R[9];
	abut_quat_to_mat3(q, R);
	abut_mat3_vec(R, model->bodies[body].centre_of_mass, out);
}

/* Sets the position of the centre of mass from the position of the body frame's origin. */
static void place_body(const AbutModel *model, AbutState *state, int body, const AbutBodyState *value)
{
	double offset[3];
	AbutBodyState *own = &state->motion[body].at;
	*own = *value;
	abut_quat_normalise(own->orientation);
	centre_offset(model, body, own->orientation, offset);
	abut_add3(own->position, offset, own->position);
}

AbutStatus abut_state_create(const AbutModel *model, AbutState **out, AbutError *error)
{
	if (!out || !model) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "model and out must not be NULL");
	}
	const size_t n = (size_t)model->n_bodies;
	const size_t n_joints = (size_t)model->joints.n;
	const size_t size = n * (sizeof(AbutMotion) + 6 * sizeof(double)) +
	                    n_joints * (sizeof(AbutJointMemory) + ABUT_JOINT_FREEDOMS * sizeof(double)) +
	                    (size_t)model->joints.n_couplings * sizeof(AbutCouplingMemory) +
	                    (size_t)model->sensors.n_kept * sizeof(double) + 1;
	*out = NULL;
	AbutState *state = calloc(1, sizeof *state);
	char *block = calloc(1, size);
	if (!state || !block) {
		free(state);
		free(block);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while making a state");
	}
	state->model = model;
	state->memory = block;
	state->memory_size = size;
	state->motion = (AbutMotion *)(void *)block;
	state->force = (double *)(void *)(block + n * sizeof(AbutMotion));
	state->torque = state->force + 3 * n;
	state->targets = state->torque + 3 * n;
	state->joints = (AbutJointMemory *)(void *)(state->targets + ABUT_JOINT_FREEDOMS * n_joints);
	state->couplings = (AbutCouplingMemory *)(void *)(state->joints + n_joints);
	state->measured = (double *)(void *)(state->couplings + model->joints.n_couplings);
	const AbutRoom room = abut_pair_room(model);
	if (abut_contact_store_reserve(&state->store, room.contacts, room.n_y, room.n_z) != ABUT_OK) {
		abut_state_destroy(state);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while making a state");
	}
	abut_state_drop_warm_start(model, state);
	for (int i = 0; i < model->n_bodies; i++) {
		place_body(model, state, i, &model->bodies[i].initial);
		abut_copy3(model->bodies[i].force, &state->force[3 * i]);
		abut_copy3(model->bodies[i].torque, &state->torque[3 * i]);
	}
	for (int i = 0; i < model->joints.n; i++) {
		memcpy(&state->targets[ABUT_JOINT_FREEDOMS * i], model->joints.at[i].target,
		       sizeof model->joints.at[i].target);
		memcpy(state->joints[i].position, model->joints.at[i].start, sizeof state->joints[i].position);
	}
	*out = state;
	return ABUT_OK;
}

void abut_state_destroy(AbutState *state)
{
	if (state) {
		abut_contact_store_destroy(&state->store);
		free(state->memory);
		free(state);
	}
}

AbutStatus abut_state_copy(const AbutModel *model, const AbutState *from, AbutState *to)
{
	if (!model || !from || !to || from->model != model || to->model != model) {
		return ABUT_ERROR_ARGUMENT;
	}
	ABUT_TRY(abut_contact_store_copy(&from->store, &to->store));
	to->steps = from->steps;
	to->time = from->time;
	memcpy(to->memory, from->memory, from->memory_size);
	return ABUT_OK;
}

double abut_state_time(const AbutState *state)
{
	return state->time;
}

AbutStatus abut_state_get_body(const AbutModel *model, const AbutState *state, int body, AbutBodyState *out)
{
	if (!model || !state || !out || state->model != model || body < 0 || body >= model->n_bodies) {
		return ABUT_ERROR_ARGUMENT;
	}
	double offset[3];
	*out = state->motion[body].at;
	centre_offset(model, body, out->orientation, offset);
	abut_sub3(out->position, offset, out->position);
	return ABUT_OK;
}

static bool is_zero3(const double v[3])
{
	return v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0;
}

bool abut_state_motion_possible(const AbutModel *model, int body, const AbutBodyState *value)
{
	const bool still = is_zero3(value->linear_velocity) && is_zero3(value->angular_velocity);
	return abut_motion_possible(value, model->timestep_si) && (!model->bodies[body].is_static || still) &&
	       (!model->bodies[body].planar || abut_motion_planar(value));
}

AbutStatus abut_state_set_body(const AbutModel *model, AbutState *state, int body, const AbutBodyState *value)
{
	if (!model || !state || !value || state->model != model || body < 0 || body >= model->n_bodies ||
	    !abut_state_motion_possible(model, body, value)) {
		return ABUT_ERROR_ARGUMENT;
	}
	place_body(model, state, body, value);
	abut_state_drop_warm_start(model, state);
	return ABUT_OK;
}

bool abut_state_input_possible(const AbutModel *model, int body, const double force[3], const double torque[3])
{
	return abut_input_possible(force) && abut_input_possible(torque) &&
	       (!model->bodies[body].is_static || (is_zero3(force) && is_zero3(torque)));
}

AbutStatus abut_state_set_input(const AbutModel *model, AbutState *state, int body, const double force[3],
                                const double torque[3])
{
	if (!model || !state || !force || !torque || state->model != model || body < 0 || body >= model->n_bodies ||
	    !abut_state_input_possible(model, body, force, torque)) {
		return ABUT_ERROR_ARGUMENT;
	}
	abut_copy3(force, &state->force[3 * body]);
	abut_copy3(torque, &state->torque[3 * body]);
	return ABUT_OK;
}

double abut_state_energy(const AbutModel *model, const AbutState *state)
{
	double energy = abut_state_joint_energy(model, state);
	for (int i = 0; i < model->n_bodies; i++) {
		const AbutBody *body = &model->bodies[i];
		const AbutBodyState *s = &state->motion[i].at;
		if (body->is_static) {
			continue;
		}
		double momentum[3];
		abut_mat3_vec(body->inertia_si, s->angular_velocity, momentum);
		energy += 0.5 * body->mass_si * abut_dot3(s->linear_velocity, s->linear_velocity) +
		          0.5 * abut_dot3(s->angular_velocity, momentum) -
		          body->mass_si * abut_dot3(model->gravity_si, s->position);
	}
	return energy;
}
