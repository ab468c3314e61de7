/* The motion of all bodies in columns: position, quaternion, velocity and spin of each, 13 of them, over the frames. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/view/data.h"

enum { POSITION = 0, QUATERNION = 3, VELOCITY = 7, SPIN = 10, N_COLUMNS = 13 };

/* Quaternion steps: a turn is told to some 3e-5 rad. */
static const double quaternion_step = 1.0 / 32767.0;

static double value_of(const AbutBodyState *at, int column)
{
	return column < QUATERNION ? at->position[column]
	       : column < VELOCITY ? at->orientation[column - QUATERNION]
	       : column < SPIN     ? at->linear_velocity[column - VELOCITY]
	                           : at->angular_velocity[column - SPIN];
}

static const AbutBodyState *body_at(const AbutViewData *data, long frame, int body)
{
	const long state = abut_view_state_of_frame(data->record, data->every, frame);
	return &data->record->bodies[state * data->record->n_bodies + body];
}

static AbutViewScale scale_of(const AbutViewData *data, int body, int column, const double finest[N_COLUMNS])
{
	if (column >= QUATERNION && column < VELOCITY) {
		return (AbutViewScale){0.0, (double)(float)quaternion_step};
	}
	double low = INFINITY, high = -INFINITY;
	for (long f = 0; f < data->n_frames; f++) {
		const double value = value_of(body_at(data, f, body), column);
		low = fmin(low, value);
		high = fmax(high, value);
	}
	return abut_view_scale(low, high, finest[column]);
}

/* A quaternion and its negative are one turn: the one that is nearer to the last frame's makes smooth columns. */
static void choose_signs(const AbutViewData *data, int body, double *signs)
{
	signs[0] = 1.0;
	for (long f = 1; f < data->n_frames; f++) {
		const double *p = body_at(data, f - 1, body)->orientation, *q = body_at(data, f, body)->orientation;
		const double dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
		signs[f] = dot < 0.0 ? -signs[f - 1] : signs[f - 1];
	}
}

static void add_column(const AbutViewData *data, int body, int column, AbutViewScale scale, const double *signs,
                       int32_t *values, AbutBits *bits)
{
	const bool of_quaternion = column >= QUATERNION && column < VELOCITY;
	for (long f = 0; f < data->n_frames; f++) {
		const double value = value_of(body_at(data, f, body), column);
		values[f] = abut_view_round(scale, of_quaternion ? signs[f] * value : value);
	}
	abut_bits_column(bits, values, (size_t)data->n_frames);
}

void abut_view_add_motion(AbutViewData *data)
{
	const AbutRunRecord *record = data->record;
	const size_t n = (size_t)data->n_frames;
	const double length = abut_view_finest_length(record), timestep = abut_model_timestep(record->model);
	/* What differs by less than a tenth of the finest length within a step stands still. */
	const double speed = 0.1 * length / timestep, spin = 1e-7 / timestep;
	const double finest[N_COLUMNS] = {length, length, length, 0, 0, 0, 0, speed, speed, speed, spin, spin, spin};
	int32_t *const values = malloc(n * sizeof *values);
	double *const signs = malloc(n * sizeof *signs);
	AbutBits bits = {NULL, 0, 0, 0, 0, !values || !signs};
	abut_view_section(data, "motion_scales", (size_t)record->n_bodies * N_COLUMNS * 2);
	for (int body = 0; !bits.failed && body < record->n_bodies; body++) {
		choose_signs(data, body, signs);
		for (int column = 0; column < N_COLUMNS; column++) {
			const AbutViewScale scale = scale_of(data, body, column, finest);
			abut_view_add_f32(data, scale.first);
			abut_view_add_f32(data, scale.step);
			add_column(data, body, column, scale, signs, values, &bits);
		}
	}
	abut_view_add_bits(data, "motion", &bits);
	free(values);
	free(signs);
}
