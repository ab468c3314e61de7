/* A world's motion, with the data that the next step starts from: one block, so that a copy restores a run exactly. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/model.h"

AbutStatus abut_state_create(const AbutModel *model, AbutState **out, AbutError *error)
{
	const size_t n = (size_t)model->n_bodies, pairs = (size_t)model->n_pairs;
	const size_t n_y = (size_t)model->n_y_pairs, n_z = (size_t)model->n_z_pairs;
	const size_t doubles = 12 * n + n_y + n_z + 4 * pairs;
	const size_t size = n * sizeof(AbutBodyState) + doubles * sizeof(double) + pairs * sizeof(bool) + 1;
	*out = NULL;
	AbutState *state = calloc(1, sizeof *state);
	char *block = calloc(1, size);
	if (!state || !block) {
		free(state);
		free(block);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while making a state");
	}
	state->memory = block;
	state->memory_size = size;
	state->n_bodies = model->n_bodies;
	state->bodies = (AbutBodyState *)(void *)block;
	double *next = (double *)(void *)(block + n * sizeof(AbutBodyState));
	double **const arrays[] = {&state->force,  &state->torque,      &state->previous_velocity, &state->pair_y,
	                           &state->pair_z, &state->pair_normal, &state->pair_alpha};
	const size_t lengths[] = {3 * n, 3 * n, 6 * n, n_y, n_z, 3 * pairs, pairs};
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		*arrays[i] = next;
		next += lengths[i];
	}
	state->warm_pair = (bool *)(void *)next;
	for (size_t i = 0; i < pairs; i++) {
		state->pair_alpha[i] = -1.0;
	}
	for (int i = 0; i < model->n_bodies; i++) {
		abut_state_set_body(model, state, i, &model->bodies[i].initial);
		abut_copy3(model->bodies[i].force, &state->force[3 * i]);
		abut_copy3(model->bodies[i].torque, &state->torque[3 * i]);
	}
	*out = state;
	return ABUT_OK;
}

void abut_state_destroy(AbutState *state)
{
	if (state) {
		free(state->memory);
		free(state);
	}
}

void abut_state_copy(const AbutModel *model, const AbutState *from, AbutState *to)
{
	(void)model;
	to->steps = from->steps;
	to->time = from->time;
	to->warm = from->warm;
	memcpy(to->memory, from->memory, from->memory_size);
}

double abut_state_time(const AbutState *state)
{
	return state->time;
}

static void centre_offset(const AbutModel *model, int body, const double q[4], double out[3])
{
	double R[9];
	abut_quat_to_mat3(q, R);
	abut_mat3_vec(R, model->bodies[body].centre_of_mass, out);
}

AbutStatus abut_state_get_body(const AbutModel *model, const AbutState *state, int body, AbutBodyState *out)
{
	if (body < 0 || body >= model->n_bodies) {
		return ABUT_ERROR_ARGUMENT;
	}
	double offset[3];
	*out = state->bodies[body];
	centre_offset(model, body, out->orientation, offset);
	for (int i = 0; i < 3; i++) {
		out->position[i] -= offset[i];
	}
	return ABUT_OK;
}

AbutStatus abut_state_set_body(const AbutModel *model, AbutState *state, int body, const AbutBodyState *value)
{
	if (body < 0 || body >= model->n_bodies || !abut_all_finite(value->position, 3) ||
	    !abut_all_finite(value->orientation, 4) || !abut_all_finite(value->linear_velocity, 3) ||
	    !abut_all_finite(value->angular_velocity, 3)) {
		return ABUT_ERROR_ARGUMENT;
	}
	const double *q = value->orientation;
	const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	const double half_turn = 0.5 * model->timestep_si * abut_norm3(value->angular_velocity);
	if (!(fabs(norm - 1.0) <= 1e-6) || !(half_turn < 1.0)) {
		return ABUT_ERROR_ARGUMENT;
	}
	double offset[3];
	AbutBodyState *own = &state->bodies[body];
	*own = *value;
	abut_quat_normalise(own->orientation);
	centre_offset(model, body, own->orientation, offset);
	for (int i = 0; i < 3; i++) {
		own->position[i] += offset[i];
	}
	state->warm = false;
	memset(state->warm_pair, 0, (size_t)model->n_pairs * sizeof *state->warm_pair);
	for (int i = 0; i < model->n_pairs; i++) {
		state->pair_alpha[i] = -1.0;
	}
	return ABUT_OK;
}

AbutStatus abut_state_set_input(const AbutModel *model, AbutState *state, int body, const double force[3],
                                const double torque[3])
{
	if (body < 0 || body >= model->n_bodies || !abut_all_finite(force, 3) || !abut_all_finite(torque, 3)) {
		return ABUT_ERROR_ARGUMENT;
	}
	abut_copy3(force, &state->force[3 * body]);
	abut_copy3(torque, &state->torque[3 * body]);
	return ABUT_OK;
}

double abut_state_energy(const AbutModel *model, const AbutState *state)
{
	double energy = 0.0;
	for (int i = 0; i < model->n_bodies; i++) {
		const AbutBody *body = &model->bodies[i];
		const AbutBodyState *s = &state->bodies[i];
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
