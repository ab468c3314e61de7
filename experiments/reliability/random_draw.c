/* Draws random numbers and orientations of scenes. */
#include "experiments/reliability/random_draw.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

/* --- numbers --- */

double draw_uniform(Draw *d, double low, double high)
{
	return abut_rng_uniform(&d->rng, low, high);
}

double draw_spread(Draw *d, double low, double high)
{
	return low * pow(high / low, draw_uniform(d, 0.0, 1.0));
}

bool draw_chance(Draw *d, double probability)
{
	return draw_uniform(d, 0.0, 1.0) < probability;
}

int draw_choose(Draw *d, int n)
{
	return (int)(abut_rng_next(&d->rng) % (uint64_t)n);
}

void draw_direction(Draw *d, double out[3])
{
	for (int i = 0; i < 3; i++) {
		out[i] = abut_rng_normal(&d->rng);
	}
	const double norm = abut_norm3(out);
	abut_divide3(out, norm, out);
}

/* --- orientations --- */

/* Turns q by `angle` (rad) about `axis` (world). */
static void turn_by(double q[4], const double axis[3], double angle)
{
	const double s = sin(0.5 * angle) / abut_norm3(axis);
	const double turn[4] = {cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]};
	double out[4];
	abut_quat_mul(turn, q, out);
	memcpy(q, out, 4 * sizeof(double));
	abut_quat_normalise(q);
}

void draw_face_down(Draw *d, double q[4])
{
	const int side = draw_choose(d, 6);
	q[0] = 1.0;
	q[1] = q[2] = q[3] = 0.0;
	turn_by(q, side < 4 ? along_x : along_y,
	        side < 4 ? side * right_angle : (side == 4 ? right_angle : -right_angle));
}

void draw_edge_down(Draw *d, double q[4])
{
	static const double corner = 0.9553166181245093, across[3] = {1.0, -1.0, 0.0}; /* acos(1 / sqrt 3) */
	draw_face_down(d, q);
	if (draw_chance(d, 0.6)) {
		turn_by(q, along_x, 0.5 * right_angle);
	} else {
		turn_by(q, across, corner);
	}
}

void draw_jitter(Draw *d, double q[4])
{
	double axis[3];
	draw_direction(d, axis);
	const double angle = draw_spread(d, 1e-12, 1e-2);
	if (draw_chance(d, 0.5)) {
		turn_by(q, axis, angle);
	}
}

void draw_yaw(Draw *d, double q[4])
{
	const double angle = draw_uniform(d, 0.0, 4.0 * right_angle);
	if (draw_chance(d, 0.5)) {
		turn_by(q, along_z, angle);
	}
}

void draw_orientation(Draw *d, double q[4])
{
	abut_rng_rotation(&d->rng, q);
}

void draw_edge_or_any(Draw *d, double q[4])
{
	if (draw_chance(d, 0.5)) {
		draw_orientation(d, q);
	} else {
		(draw_chance(d, 0.5) ? draw_edge_down : draw_face_down)(d, q);
		draw_yaw(d, q);
		draw_jitter(d, q);
	}
}
