/* Creates and places the bodies of a random scene, primitives of random proportions, and sets their velocities. */
#include <math.h>

#include "base/vec3.h"
#include "experiments/reliability/random_draw.h"
#include "experiments/reliability/study.h"

/* --- shapes --- */

/* Draws the half extents `e` of the box around the shape. */
static void draw_extents(AbutRng *rng, double size, double aspect, double e[3])
{
	const bool cubic = abut_rng_uniform(rng, 0.0, 1.0) < 0.5;
	const bool rod = abut_rng_uniform(rng, 0.0, 1.0) < 0.5;
	for (int i = 0; i < 3; i++) {
		const double proportion = abut_rng_uniform(rng, 0.4, 1.0);
		const bool thin = rod ? i < 2 : i == 2;
		e[i] = 0.5 * size * (cubic ? 1.0 : proportion) / (thin ? aspect : 1.0);
	}
}

static double least(const double e[3])
{
	const double low = e[0] < e[1] ? e[0] : e[1];
	return low < e[2] ? low : e[2];
}

static AbutStatus make_padded(AbutRng *rng, const double e[3], AbutShape **out, AbutError *error)
{
	const double padding = least(e) * abut_rng_uniform(rng, 0.1, 0.9);
	return padded_make((const double[3]){e[0] - padding, e[1] - padding, e[2] - padding}, padding, out, error);
}

/* Makes a box with its corners cut, or the hull of points on an ellipsoid. */
static AbutStatus make_polytope(AbutRng *rng, const double e[3], AbutShape **out, AbutError *error)
{
	if (abut_rng_uniform(rng, 0.0, 1.0) < 0.5) {
		return cut_box_make(e, 1.0, 2.2, out, error);
	}
	enum { MOST_POINTS = 20 };
	double points[MOST_POINTS * 3];
	const int n = 6 + (int)(abut_rng_next(rng) % (MOST_POINTS - 5));
	for (int i = 0; i < n; i++) {
		double norm = 0.0;
		for (int j = 0; j < 3; j++) {
			points[3 * i + j] = abut_rng_normal(rng);
			norm += points[3 * i + j] * points[3 * i + j];
		}
		for (int j = 0; j < 3; j++) {
			points[3 * i + j] *= e[j] / sqrt(norm);
		}
	}
	return abut_shape_create_polytope_from_vertices(n, points, out, error);
}

static AbutStatus create(AbutRng *rng, int index, double size, const double e[3], AbutShape **out, AbutError *error)
{
	const double radius = e[0] < e[2] ? e[0] : e[2]; /* of a capsule */
	switch (index) {
	case 0:
		return abut_shape_create_box(e, out, error);
	case 1:
		return abut_shape_create_sphere(0.5 * size, out, error);
	case 2:
		return abut_shape_create_ellipsoid(e, out, error);
	case 3: /* for a plate, the capsule is almost a sphere */
		return e[0] < 0.5 * e[2] ? abut_shape_create_capsule(radius, 2.0 * (e[2] - radius), out, error)
		                         : abut_shape_create_capsule(0.5 * e[0], e[2], out, error);
	case 4:
		return abut_shape_create_cylinder(e[0], 2.0 * e[2], out, error);
	case 5:
		return abut_shape_create_cone(2.0 * e[2], e[0], out, error);
	case 6:
		return make_padded(rng, e, out, error);
	default:
		return make_polytope(rng, e, out, error);
	}
}

/* Makes the shape `index` (as in shape_name) of about `size` metres. Half of the shapes have the proportions of a cube.
 * If `aspect` is above 1, it is a plate or a rod of that aspect ratio; but a sphere stays a sphere, and a capsule
 * becomes a rod or nearly a sphere. NULL with a message on stderr if it cannot be made. */
static AbutShape *random_shape(AbutRng *rng, int index, double size, double aspect)
{
	AbutShape *shape = NULL;
	AbutError error = {.status = ABUT_OK};
	double e[3];
	draw_extents(rng, size, aspect, e);
	const AbutStatus status = create(rng, index, size, e, &shape, &error);
	return shape_or_message(shape_name(index), status, shape, &error);
}

/* --- bodies --- */

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
