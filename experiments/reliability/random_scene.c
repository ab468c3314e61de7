/* Draws a random scene. A scene has a lower and an upper shape, several bodies with these shapes, and a floor or a
 * groove of two planes. Every kind of scene draws:
 *
 *      rate        10 to 200 Hz, uniform in the logarithm
 *      size        1 mm to 100 m, uniform in the logarithm; upper to lower 1:10 to 10:1 in half of the scenes, else 1:1
 *      mass        upper to lower 1:1000 to 1000:1, uniform in the logarithm
 *      friction    0 in one of six, 1e-4 to 0.1 uniform in the logarithm in one of six, else uniform to 2
 *      proportions cubic in half of the bodies; a plate or rod of 1:1 to 1:100 in one of five, in all of `thin`
 *      axes        those of the world in half of the scenes, else turned at random as a whole
 *
 * Lengths and speeds without a given unit are in the units of the scene, L and V = sqrt(g L). A run lasts 4 L / V, but
 * 30 to 100 steps, or 10 to 30 steps if a step is longer than L / V. Bodies that fall first do so within a fifth of it.
 */
#include "experiments/reliability/random_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "experiments/reliability/random_draw.h"

const char *random_scene_kind_name(int kind)
{
	return draw_motion_name(kind);
}

int random_scene_kind(unsigned long seed)
{
	return (int)(seed % RANDOM_SCENE_KINDS);
}

static void draw_ranges(Draw *d)
{
	const double size = draw_spread(d, 1e-3, 100.0), ratio = draw_spread(d, 0.1, 10.0),
	             mass = draw_spread(d, 1e-3, 1e3);
	const bool equal = draw_chance(d, 0.5);
	/* the larger body has the drawn size, the smaller one at least 1 mm */
	d->size[0] = fmax(equal || ratio < 1.0 ? size : size / ratio, 1e-3);
	d->size[1] = fmax(equal || ratio > 1.0 ? size : size * ratio, 1e-3);
	d->mass[0] = 1e3 * size * size * size / sqrt(mass);
	d->mass[1] = d->mass[0] * mass;
	d->length = 0.5 * (d->size[0] + d->size[1]);
	d->speed = sqrt(draw_gravity * d->length);
	d->timestep = 1.0 / draw_spread(d, 10.0, 200.0);
	const int surface = draw_choose(d, 6);
	const double little = draw_spread(d, 1e-4, 0.1), much = draw_uniform(d, 0.0, 2.0);
	d->friction = surface == 0 ? 0.0 : surface == 1 ? little : much;
	d->down[0] = d->down[1] = 0.0;
	d->down[2] = -1.0;
	const double unit = d->length / d->speed / d->timestep;
	const double least = fmax(10.0, fmin(30.0, 40.0 * unit));
	d->out->steps = (long)fmin(fmax(ceil(4.0 * unit), least), 100.0);
	abut_rng_rotation(&d->rng, d->turn);
	if (draw_chance(d, 0.5)) {
		d->turn[0] = 1.0;
		d->turn[1] = d->turn[2] = d->turn[3] = 0.0;
	}
	abut_quat_to_mat3(d->turn, d->R);
}

/* Turns bodies and gravity. The planes were created turned. */
static void turn_scene(Draw *d)
{
	Scene *scene = &d->out->scene;
	for (int i = 0; i < scene->def.n_bodies; i++) {
		AbutBodyDef *body = &scene->bodies[i];
		double q[4];
		if (body->parts[0] && body->parts[0]->kind == ABUT_SHAPE_HALFSPACE) {
			continue;
		}
		abut_mat3_vec(d->R, body->position, body->position);
		abut_mat3_vec(d->R, body->linear_velocity, body->linear_velocity);
		abut_quat_mul(d->turn, body->orientation, q);
		abut_quat_normalise(q);
		memcpy(body->orientation, q, 4 * sizeof(double));
	}
	abut_mat3_vec(d->R, d->down, scene->def.gravity);
	abut_scale3(draw_gravity, scene->def.gravity, scene->def.gravity);
}

bool random_scene_make(unsigned long seed, RandomScene *out)
{
	Draw d = {.rng = {seed * UINT64_C(0x2545f4914f6cdd1d) + 7u}, .out = out, .good = true};
	const int pair = (int)(seed / RANDOM_SCENE_KINDS % 64);
	out->n_shapes = 0;
	out->kind = random_scene_kind(seed);
	d.lower = pair / 8;
	d.upper = pair % 8;
	scene_begin(&out->scene, NULL);
	draw_ranges(&d);
	out->scene.def.timestep = d.timestep;
	out->scene.def.friction = d.friction;
	draw_motion(&d, out->kind);
	turn_scene(&d);
	out->scene.size = fmin(d.size[0], d.size[1]);
	snprintf(out->label, sizeof out->label,
	         "%s, %s on %s, %.3g Hz, friction %.3g, sizes %.3g on %.3g m, masses %.3g", draw_motion_name(out->kind),
	         shape_name(d.upper), shape_name(d.lower), 1.0 / d.timestep, d.friction, d.size[1], d.size[0],
	         d.mass[1] / d.mass[0]);
	return d.good;
}

void random_scene_free(RandomScene *scene)
{
	for (int i = 0; i < scene->n_shapes; i++) {
		abut_shape_destroy(scene->shapes[i]);
	}
	scene->n_shapes = 0;
}
