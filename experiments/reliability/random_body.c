/* Creates and places the bodies of a random scene, and sets their velocities. */
#include <math.h>

#include "base/vec3.h"
#include "experiments/reliability/random_draw.h"
#include "experiments/reliability/random_shape.h"

static void keep(Draw *d, AbutShape *shape)
{
	d->good = d->good && shape;
	d->out->shapes[d->out->n_shapes++] = shape;
}

void draw_plane(Draw *d, const double normal[3], double offset)
{
	double n[3];
	AbutShape *shape = NULL;
	AbutError error = {.status = ABUT_OK};
	abut_mat3_vec(d->R, normal, n);
	const AbutStatus status = abut_shape_create_halfspace(n, offset, &shape, &error);
	keep(d, shape_or_message("plane", status, shape, &error));
	scene_add(&d->out->scene, shape, 0.0, (const double[3]){0.0, 0.0, 0.0});
}

void draw_floor(Draw *d)
{
	draw_plane(d, along_z, 0.0);
}

AbutBodyDef *draw_body_thin(Draw *d, int which, double thin)
{
	static const double nowhere[3] = {0.0, 0.0, 0.0};
	const double aspect = draw_spread(d, 1.0, 100.0);
	AbutShape *shape =
	    random_shape(&d->rng, which ? d->upper : d->lower, d->size[which], draw_chance(d, thin) ? aspect : 1.0);
	keep(d, shape);
	return scene_add(&d->out->scene, shape, d->mass[which], nowhere);
}

AbutBodyDef *draw_body(Draw *d, int which)
{
	return draw_body_thin(d, which, 0.2);
}

AbutBodyDef *draw_copy(Draw *d, const AbutBodyDef *body)
{
	static const double nowhere[3] = {0.0, 0.0, 0.0};
	return scene_add(&d->out->scene, body->parts[0], body->mass, nowhere);
}

void draw_static(Draw *d, AbutBodyDef *body, double probability)
{
	if (draw_chance(d, probability)) {
		body->is_static = true;
		body->mass = 0.0;
	}
}

double body_reach(const AbutBodyDef *body, const double along[3])
{
	double R[9], local[3];
	if (!body->parts[0]) {
		return 0.0;
	}
	abut_quat_to_mat3(body->orientation, R);
	abut_mat3_tvec(R, along, local);
	return abut_shape_support(body->parts[0], local, NULL);
}

double body_width(const AbutBodyDef *body, const double along[3])
{
	const double back[3] = {-along[0], -along[1], -along[2]};
	return body_reach(body, along) + body_reach(body, back);
}

void body_lift(AbutBodyDef *body, double z)
{
	body->position[2] = z + body_reach(body, (const double[3]){0.0, 0.0, -1.0});
}

double body_top(const AbutBodyDef *body)
{
	return body->position[2] + body_reach(body, along_z);
}

void draw_put_on(Draw *d, AbutBodyDef *upper, const AbutBodyDef *lower, double gap, double off)
{
	const double *const axes[2] = {along_x, along_y};
	for (int i = 0; i < 2; i++) {
		const double half = 0.5 * (body_width(upper, axes[i]) + body_width(lower, axes[i]));
		upper->position[i] = lower->position[i] + off * half * draw_uniform(d, -1.0, 1.0);
	}
	body_lift(upper, body_top(lower) + gap);
}

double draw_gap(Draw *d, double most)
{
	const double time = 0.2 * d->timestep * (double)d->out->steps;
	const double fall = fmin(0.5 * draw_gravity * time * time, most * d->length);
	const double value = d->length * draw_spread(d, 1e-9, 1e-2), far = fall * draw_uniform(d, 0.0, 1.0);
	const int kind = draw_choose(d, 4);
	return kind == 0 ? 0.0 : kind == 1 ? fmin(value, fall) : far;
}

/* --- velocities --- */

/* Limits a spin (rad/s). With timestep dt, the integrator allows dt spin / 2 up to 38.4. Scenes have at most 6, and at
 * most 50 m/s at the surface. */
static double allowed_spin(const Draw *d, const AbutBodyDef *body, double spin)
{
	const double radius = body->parts[0] ? body->parts[0]->outer_radius : 1.0;
	return fmin(spin, fmin(12.0 / d->timestep, 50.0 / radius));
}

void draw_spin_about(const Draw *d, AbutBodyDef *body, const double axis[3], double spin)
{
	double R[9];
	abut_quat_to_mat3(body->orientation, R);
	abut_mat3_tvec(R, axis, body->angular_velocity);
	for (int i = 0; i < 3; i++) {
		body->angular_velocity[i] *= allowed_spin(d, body, spin);
	}
}

void body_move_along(AbutBodyDef *body, const double along[3], double speed)
{
	abut_add_scaled3(body->linear_velocity, speed, along, body->linear_velocity);
}

void draw_throw(Draw *d, AbutBodyDef *body)
{
	double axis[3];
	if (body->is_static) {
		return;
	}
	for (int i = 0; i < 3; i++) {
		body->linear_velocity[i] = d->speed * draw_uniform(d, -1.0, 1.0);
	}
	draw_direction(d, axis);
	draw_spin_about(d, body, axis, 3.0 * d->speed / d->length * draw_uniform(d, 0.0, 1.0));
}

void draw_creep(Draw *d, AbutBodyDef *body)
{
	const double angle = draw_uniform(d, 0.0, 4.0 * right_angle), speed = d->speed * draw_spread(d, 1e-8, 1.0);
	const bool axis = draw_chance(d, 0.3), still = draw_chance(d, 0.3);
	if (!body->is_static && !still) {
		const double along[3] = {axis ? 1.0 : cos(angle), axis ? 0.0 : sin(angle), 0.0};
		body_move_along(body, along, speed);
	}
}
