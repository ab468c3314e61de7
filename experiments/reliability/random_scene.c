/* How a random scene is drawn. A scene has a lower and an upper shape, of which there may be several bodies, and a
 * floor or a groove of two planes. Drawn for every scene, whatever its kind:
 *
 *     rate        10 to 200 Hz, uniform in the logarithm
 *     size        1 mm to 100 m, uniform in the logarithm; upper to lower 1:10 to 10:1 in half of the scenes, else 1:1
 *     mass        upper to lower 1:1000 to 1000:1, uniform in the logarithm
 *     friction    0 in one of six, 1e-4 to 0.1 uniform in the logarithm in one of six, else uniform to 2
 *     proportions cubic in half of the bodies; a plate or rod of 1:1 to 1:100 in one of five, in all of `thin`
 *     axes        those of the world in half of the scenes, else turned at random as a whole
 *
 * Lengths and speeds without a unit below are in those of the scene, L and V = sqrt(g L). A run lasts four times
 * L / V, but 30 to 100 steps (10 to 30 where a step is longer than L / V); what has to fall first does so within a
 * fifth of it. */
#include "random_scene.h"

#include <math.h>
#include <stdio.h>

#include "base/vec3.h"
#include "random_shape.h"

static const double gravity = 9.81;

typedef struct Draw {
	AbutRng rng;
	RandomScene *out;
	int lower, upper;     /* indices of shapes */
	double size[2];       /* m, of the lower and of the upper bodies */
	double mass[2];       /* kg */
	double length, speed; /* L, V; m, m/s */
	double timestep;      /* s */
	double friction;      /* coefficient */
	double down[3];       /* direction of gravity before the turn */
	double turn[4], R[9]; /* of the whole scene */
	bool good;            /* no shape was refused */
} Draw;

static double uniform(Draw *d, double low, double high)
{
	return abut_rng_uniform(&d->rng, low, high);
}

/* Uniform in the logarithm. */
static double spread(Draw *d, double low, double high)
{
	return low * pow(high / low, uniform(d, 0.0, 1.0));
}

static bool chance(Draw *d, double probability)
{
	return uniform(d, 0.0, 1.0) < probability;
}

static int choose(Draw *d, int n)
{
	return (int)(abut_rng_next(&d->rng) % (uint64_t)n);
}

static void direction(Draw *d, double out[3])
{
	for (int i = 0; i < 3; i++) {
		out[i] = abut_rng_normal(&d->rng);
	}
	const double norm = abut_norm3(out);
	for (int i = 0; i < 3; i++) {
		out[i] /= norm;
	}
}

/* --- orientations --- */

/* q = turn by `angle` about the axis, times q. */
static void turn_by(double q[4], const double axis[3], double angle)
{
	const double s = sin(0.5 * angle) / abut_norm3(axis);
	const double turn[4] = {cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]};
	double out[4];
	abut_quat_mul(turn, q, out);
	for (int i = 0; i < 4; i++) {
		q[i] = out[i];
	}
	abut_quat_normalise(q);
}

static const double x_axis[3] = {1.0, 0.0, 0.0}, y_axis[3] = {0.0, 1.0, 0.0}, z_axis[3] = {0.0, 0.0, 1.0};
static const double right = 1.5707963267948966;

/* One of the six sides of a box down. */
static void face_down(Draw *d, double q[4])
{
	const int side = choose(d, 6);
	q[0] = 1.0;
	q[1] = q[2] = q[3] = 0.0;
	turn_by(q, side < 4 ? x_axis : y_axis, side < 4 ? side * right : (side == 4 ? right : -right));
}

/* An edge or a corner of a cube down (of a cylinder or cone: its rim, its side, its tip). */
static void edge_down(Draw *d, double q[4])
{
	static const double corner = 0.9553166181245093, across[3] = {1.0, -1.0, 0.0}; /* acos(1 / sqrt 3) */
	face_down(d, q);
	if (chance(d, 0.6)) {
		turn_by(q, x_axis, 0.5 * right);
	} else {
		turn_by(q, across, corner);
	}
}

/* A little off, in half of all cases. */
static void jitter(Draw *d, double q[4])
{
	double axis[3];
	direction(d, axis);
	const double angle = spread(d, 1e-12, 1e-2);
	if (chance(d, 0.5)) {
		turn_by(q, axis, angle);
	}
}

static void yaw(Draw *d, double q[4])
{
	const double angle = uniform(d, 0.0, 4.0 * right);
	if (chance(d, 0.5)) {
		turn_by(q, z_axis, angle);
	}
}

static void any_orientation(Draw *d, double q[4])
{
	abut_rng_rotation(&d->rng, q);
}

static void edge_or_any(Draw *d, double q[4])
{
	if (chance(d, 0.5)) {
		any_orientation(d, q);
	} else {
		(chance(d, 0.5) ? edge_down : face_down)(d, q);
		yaw(d, q);
		jitter(d, q);
	}
}

/* --- bodies --- */

static void keep(Draw *d, AbutShape *shape)
{
	d->good = d->good && shape;
	d->out->shapes[d->out->n_shapes++] = shape;
}

/* The solid below the plane through `offset * normal`. */
static void add_plane(Draw *d, const double normal[3], double offset)
{
	double n[3];
	AbutShape *shape = NULL;
	AbutError error = {.status = ABUT_OK};
	abut_mat3_vec(d->R, normal, n);
	if (abut_shape_create_halfspace(n, offset, &shape, &error) != ABUT_OK) {
		fprintf(stderr, "abut_reliability: plane: %s\n", error.message);
	}
	keep(d, shape);
	scene_add(&d->out->scene, shape, 0.0, (const double[3]){0.0, 0.0, 0.0});
}

static void add_floor(Draw *d)
{
	add_plane(d, z_axis, 0.0);
}

/* A new body at the origin. `which`: 0 a lower, 1 an upper one. */
static AbutBodyDef *add_shaped(Draw *d, int which, double thin)
{
	static const double nowhere[3] = {0.0, 0.0, 0.0};
	const double aspect = spread(d, 1.0, 100.0);
	AbutShape *shape =
	    random_shape(&d->rng, which ? d->upper : d->lower, d->size[which], chance(d, thin) ? aspect : 1.0);
	keep(d, shape);
	return scene_add(&d->out->scene, shape, d->mass[which], nowhere);
}

static AbutBodyDef *add(Draw *d, int which)
{
	return add_shaped(d, which, 0.2);
}

/* Another body of the same shape and mass. */
static AbutBodyDef *add_copy(Draw *d, const AbutBodyDef *body)
{
	static const double nowhere[3] = {0.0, 0.0, 0.0};
	return scene_add(&d->out->scene, body->parts[0], body->mass, nowhere);
}

static void maybe_static(Draw *d, AbutBodyDef *body, double probability)
{
	if (chance(d, probability)) {
		body->is_static = true;
		body->mass = 0.0;
	}
}

/* How far a body reaches from its frame's origin along a unit direction. */
static double reach(const AbutBodyDef *body, const double along[3])
{
	double R[9], local[3];
	if (!body->parts[0]) {
		return 0.0;
	}
	abut_quat_to_mat3(body->orientation, R);
	abut_mat3_tvec(R, along, local);
	return abut_shape_support(body->parts[0], local, NULL);
}

static double width(const AbutBodyDef *body, const double along[3])
{
	const double back[3] = {-along[0], -along[1], -along[2]};
	return reach(body, along) + reach(body, back);
}

/* Its lowest point at height z. */
static void lift(AbutBodyDef *body, double z)
{
	body->position[2] = z + reach(body, (const double[3]){0.0, 0.0, -1.0});
}

static double top(const AbutBodyDef *body)
{
	return body->position[2] + reach(body, z_axis);
}

/* Above another body, `gap` away, moved sideways by up to `off` of the sum of their half widths. */
static void put_on(Draw *d, AbutBodyDef *upper, const AbutBodyDef *lower, double gap, double off)
{
	const double *const axes[2] = {x_axis, y_axis};
	for (int i = 0; i < 2; i++) {
		const double half = 0.5 * (width(upper, axes[i]) + width(lower, axes[i]));
		upper->position[i] = lower->position[i] + off * half * uniform(d, -1.0, 1.0);
	}
	lift(upper, top(lower) + gap);
}

/* None, tiny, or up to `most` L, and so that it is fallen through in a fifth of the run. */
static double gap(Draw *d, double most)
{
	const double time = 0.2 * d->timestep * (double)d->out->steps;
	const double fall = fmin(0.5 * gravity * time * time, most * d->length);
	const double value = d->length * spread(d, 1e-9, 1e-2), far = fall * uniform(d, 0.0, 1.0);
	const int kind = choose(d, 4);
	return kind == 0 ? 0.0 : kind == 1 ? fmin(value, fall) : far;
}

/* --- velocities --- */

/* The integrator's limit of a spin is a half turn of 38.4 a step; drawn are at most 6, and 50 m/s at the surface. */
static double allowed_spin(const Draw *d, const AbutBodyDef *body, double spin)
{
	const double radius = body->parts[0] ? body->parts[0]->outer_radius : 1.0;
	return fmin(spin, fmin(12.0 / d->timestep, 50.0 / radius));
}

static void spin_about(const Draw *d, AbutBodyDef *body, const double axis[3], double spin)
{
	double R[9];
	abut_quat_to_mat3(body->orientation, R);
	abut_mat3_tvec(R, axis, body->angular_velocity);
	for (int i = 0; i < 3; i++) {
		body->angular_velocity[i] *= allowed_spin(d, body, spin);
	}
}

static void move_along(AbutBodyDef *body, const double along[3], double speed)
{
	for (int i = 0; i < 3; i++) {
		body->linear_velocity[i] += speed * along[i];
	}
}

/* Velocity and spin of a thrown body. */
static void throw_body(Draw *d, AbutBodyDef *body)
{
	double axis[3];
	if (body->is_static) {
		return;
	}
	for (int i = 0; i < 3; i++) {
		body->linear_velocity[i] = d->speed * uniform(d, -1.0, 1.0);
	}
	direction(d, axis);
	spin_about(d, body, axis, 3.0 * d->speed / d->length * uniform(d, 0.0, 1.0));
}

/* In the plane of the floor: not at all, or at 1e-8 to 1 V. */
static void creep(Draw *d, AbutBodyDef *body)
{
	const double angle = uniform(d, 0.0, 4.0 * right), speed = d->speed * spread(d, 1e-8, 1.0);
	const bool axis = chance(d, 0.3), still = chance(d, 0.3);
	if (!body->is_static && !still) {
		const double along[3] = {axis ? 1.0 : cos(angle), axis ? 0.0 : sin(angle), 0.0};
		move_along(body, along, speed);
	}
}

/* --- kinds of motion --- */

/* A body at random above another one on the floor. */
static void drop(Draw *d)
{
	add_floor(d);
	AbutBodyDef *lower = add(d, 0), *upper = add(d, 1);
	maybe_static(d, lower, 0.3);
	any_orientation(d, lower->orientation);
	any_orientation(d, upper->orientation);
	lift(lower, gap(d, 0.3));
	put_on(d, upper, lower, gap(d, 1.0), 0.4);
	throw_body(d, lower);
	throw_body(d, upper);
}

/* Flat on each other on an incline whose slope is the friction limit but for 1e-6 to 0.5 of it. */
static void slide(Draw *d)
{
	const double off = spread(d, 1e-6, 0.5), sign = chance(d, 0.5) ? 1.0 : -1.0;
	const double slope = atan(d->friction * (1.0 + sign * off));
	const double towards = chance(d, 0.5) ? uniform(d, 0.0, 4.0 * right) : 0.0;
	const double above = chance(d, 0.5) ? 0.0 : d->length * spread(d, 1e-9, 1e-3);
	const double aside = chance(d, 0.5) ? 0.0 : 0.6;
	d->down[0] = sin(slope) * cos(towards);
	d->down[1] = sin(slope) * sin(towards);
	d->down[2] = -cos(slope);
	add_floor(d);
	AbutBodyDef *lower = add(d, 0), *upper = add(d, 1);
	maybe_static(d, lower, 0.4);
	face_down(d, lower->orientation);
	face_down(d, upper->orientation);
	yaw(d, lower->orientation);
	yaw(d, upper->orientation);
	lift(lower, 0.0);
	put_on(d, upper, lower, above, aside);
	creep(d, lower);
	creep(d, upper);
}

/* Tops: upright on a side, an edge or a tip, half a turn per step of 0.005 to 3. Without gravity in one of four. */
static void spin(Draw *d)
{
	double axis[3];
	const bool upright = chance(d, 0.5), centred = chance(d, 0.5);
	if (chance(d, 0.25)) {
		d->down[2] = 0.0;
	}
	add_floor(d);
	AbutBodyDef *lower = add(d, 0), *upper = add(d, 1);
	maybe_static(d, lower, 0.4);
	face_down(d, lower->orientation);
	edge_or_any(d, upper->orientation);
	yaw(d, lower->orientation);
	lift(lower, 0.0);
	put_on(d, upper, lower, gap(d, 0.3), centred ? 0.0 : 0.9);
	direction(d, axis);
	spin_about(d, upper, upright ? z_axis : axis, 2.0 / d->timestep * spread(d, 0.005, 3.0));
	if (d->down[2] == 0.0) {
		move_along(upper, z_axis, -d->speed * uniform(d, 0.1, 1.0));
	}
	if (!lower->is_static && chance(d, 0.5)) {
		direction(d, axis);
		spin_about(d, lower, axis, 2.0 / d->timestep * spread(d, 0.005, 3.0));
	}
}

/* Both bodies one after the other into a groove of two planes, 4 to 170 degrees wide. */
static void groove(Draw *d)
{
	const double half = uniform(d, 0.035, 1.48), c = cos(half), s = sin(half);
	const bool symmetric = chance(d, 0.5);
	const double other = symmetric ? half : uniform(d, 0.035, 1.48);
	const double normals[2][3] = {{c, 0.0, s}, {-cos(other), 0.0, sin(other)}};
	double floor_height[2];
	add_plane(d, normals[0], 0.0);
	add_plane(d, normals[1], 0.0);
	AbutBodyDef *bodies[2] = {add(d, 0), NULL};
	bodies[1] = add(d, 1);
	for (int i = 0; i < 2; i++) {
		edge_or_any(d, bodies[i]->orientation);
		/* the height at which it would touch either plane, above the line where they meet */
		for (int j = 0; j < 2; j++) {
			const double back[3] = {-normals[j][0], -normals[j][1], -normals[j][2]};
			floor_height[j] = reach(bodies[i], back) / normals[j][2];
		}
		bodies[i]->position[2] = fmax(floor_height[0], floor_height[1]) + gap(d, 0.3);
	}
	bodies[1]->position[2] = fmax(
	    bodies[1]->position[2], top(bodies[0]) + reach(bodies[1], (const double[3]){0.0, 0.0, -1.0}) + gap(d, 0.3));
	if (chance(d, 0.5)) {
		throw_body(d, bodies[1]);
	}
}

/* The upper body between two lower ones that stand closer together than it is wide. */
static void between(Draw *d)
{
	add_floor(d);
	AbutBodyDef *first = add(d, 0), *second = add_copy(d, first), *upper = add(d, 1);
	const bool fixed = chance(d, 0.5);
	face_down(d, first->orientation);
	yaw(d, first->orientation);
	edge_or_any(d, upper->orientation);
	for (int i = 0; i < 4; i++) {
		second->orientation[i] = first->orientation[i];
	}
	maybe_static(d, first, fixed);
	maybe_static(d, second, fixed);
	lift(first, 0.0);
	lift(second, 0.0);
	const double half = 0.5 * (width(first, x_axis) + width(upper, x_axis) * uniform(d, 0.02, 0.98));
	first->position[0] = -half;
	second->position[0] = half;
	lift(upper, top(first) + gap(d, 0.3));
	if (chance(d, 0.5)) {
		throw_body(d, upper);
	}
}

static void wedge(Draw *d)
{
	(chance(d, 0.5) ? groove : between)(d);
}

/* An edge or a corner above a face or an edge, at its middle or its rim; straight down, thrown, or at rest. */
static void edge(Draw *d)
{
	static const double offs[3] = {0.0, 0.5, 1.0};
	const double off = offs[choose(d, 3)];
	add_floor(d);
	AbutBodyDef *lower = add(d, 0), *upper = add(d, 1);
	maybe_static(d, lower, 0.4);
	(chance(d, 0.5) ? face_down : edge_down)(d, lower->orientation);
	yaw(d, lower->orientation);
	edge_down(d, upper->orientation);
	yaw(d, upper->orientation);
	jitter(d, upper->orientation);
	lift(lower, 0.0);
	put_on(d, upper, lower, gap(d, 0.3), off);
	if (chance(d, 0.5)) { /* over the rim */
		upper->position[0] = lower->position[0] + reach(lower, x_axis);
	}
	if (chance(d, 0.3)) {
		throw_body(d, upper);
	} else {
		creep(d, upper);
	}
}

/* Stacks of two to four, side on side: aligned to the last bit, flush, or anywhere. */
static void face(Draw *d)
{
	AbutBodyDef *below = NULL;
	const int height = 2 + choose(d, 3);
	const bool copies = chance(d, 0.5), turned = chance(d, 0.5);
	const double off = chance(d, 0.5) ? 0.0 : uniform(d, 0.0, 0.7);
	AbutBodyDef *first[2] = {NULL, NULL};
	add_floor(d);
	for (int i = 0; i < height; i++) {
		const int which = i % 2;
		AbutBodyDef *body = copies && first[which] ? add_copy(d, first[which]) : add(d, which);
		if (copies && first[which]) {
			for (int j = 0; j < 4; j++) {
				body->orientation[j] = first[which]->orientation[j];
			}
		} else {
			face_down(d, body->orientation);
			if (turned) {
				yaw(d, body->orientation);
			}
		}
		first[which] = first[which] ? first[which] : body;
		if (below) {
			put_on(d, body, below, chance(d, 0.7) ? 0.0 : gap(d, 0.05), off);
		} else {
			lift(body, 0.0);
			maybe_static(d, body, 0.2);
		}
		if (chance(d, 0.3)) {
			creep(d, body);
		}
		below = body;
	}
}

/* At 1 to 50 m/s, but at most 100 L a step, aimed at a body that rests or floats. */
static void impact(Draw *d)
{
	double from[3], aim[3];
	const bool floating = chance(d, 0.3);
	const double fast = fmin(spread(d, 1.0, 50.0), 100.0 * d->length / d->timestep);
	if (floating) {
		d->down[2] = 0.0;
	} else {
		add_floor(d);
	}
	AbutBodyDef *lower = add(d, 0), *upper = add(d, 1);
	maybe_static(d, lower, 0.3);
	edge_or_any(d, lower->orientation);
	edge_or_any(d, upper->orientation);
	lift(lower, 0.0);
	direction(d, from);
	from[2] = fabs(from[2]);
	if (chance(d, 0.3)) {
		abut_copy3(z_axis, from);
	}
	const double back[3] = {-from[0], -from[1], -from[2]};
	const double away = fmin(fast * d->timestep * uniform(d, 0.0, 2.0), 5.0 * d->length);
	const double distance = reach(lower, from) + reach(upper, back) + away;
	direction(d, aim);
	const double along = abut_dot3(aim, from);
	const double miss = chance(d, 0.5) ? 0.0 : 0.4 * d->size[0] * uniform(d, 0.0, 1.0);
	for (int i = 0; i < 3; i++) {
		upper->position[i] = lower->position[i] + distance * from[i] + miss * (aim[i] - along * from[i]);
	}
	if (!floating) {
		upper->position[2] = fmax(upper->position[2], reach(upper, (const double[3]){0.0, 0.0, -1.0}));
	}
	move_along(upper, from, -fast);
	if (chance(d, 0.5)) {
		double axis[3];
		direction(d, axis);
		spin_about(d, upper, axis, 3.0 * d->speed / d->length * uniform(d, 0.0, 1.0));
	}
}

/* Plates and rods alone: dropped, or side on side. */
static void thin(Draw *d)
{
	add_floor(d);
	AbutBodyDef *lower = add_shaped(d, 0, 1.0), *upper = add_shaped(d, 1, 1.0);
	maybe_static(d, lower, 0.3);
	const bool flat = chance(d, 0.5);
	(flat ? face_down : any_orientation)(d, lower->orientation);
	edge_or_any(d, upper->orientation);
	yaw(d, lower->orientation);
	lift(lower, gap(d, 0.3));
	put_on(d, upper, lower, gap(d, 1.0), 0.9);
	if (!flat) {
		throw_body(d, lower);
	}
	throw_body(d, upper);
}

static const struct {
	const char *name;
	void (*place)(Draw *);
} kinds[RANDOM_SCENE_KINDS] = {{"drop", drop}, {"slide", slide}, {"spin", spin},     {"wedge", wedge},
                               {"edge", edge}, {"face", face},   {"impact", impact}, {"thin", thin}};

const char *random_scene_kind_name(int kind)
{
	return kinds[kind].name;
}

int random_scene_kind(unsigned long seed)
{
	return (int)(seed % RANDOM_SCENE_KINDS);
}

static void draw_ranges(Draw *d)
{
	const double size = spread(d, 1e-3, 100.0), ratio = spread(d, 0.1, 10.0), mass = spread(d, 1e-3, 1e3);
	const bool equal = chance(d, 0.5);
	/* the larger one is of the size drawn, the smaller one at least 1 mm */
	d->size[0] = fmax(equal || ratio < 1.0 ? size : size / ratio, 1e-3);
	d->size[1] = fmax(equal || ratio > 1.0 ? size : size * ratio, 1e-3);
	d->mass[0] = 1e3 * size * size * size / sqrt(mass);
	d->mass[1] = d->mass[0] * mass;
	d->length = 0.5 * (d->size[0] + d->size[1]);
	d->speed = sqrt(gravity * d->length);
	d->timestep = 1.0 / spread(d, 10.0, 200.0);
	const int surface = choose(d, 6);
	const double little = spread(d, 1e-4, 0.1), much = uniform(d, 0.0, 2.0);
	d->friction = surface == 0 ? 0.0 : surface == 1 ? little : much;
	d->down[0] = d->down[1] = 0.0;
	d->down[2] = -1.0;
	const double unit = d->length / d->speed / d->timestep;
	const double least = fmax(10.0, fmin(30.0, 40.0 * unit));
	d->out->steps = (long)fmin(fmax(ceil(4.0 * unit), least), 100.0);
	abut_rng_rotation(&d->rng, d->turn);
	if (chance(d, 0.5)) {
		d->turn[0] = 1.0;
		d->turn[1] = d->turn[2] = d->turn[3] = 0.0;
	}
	abut_quat_to_mat3(d->turn, d->R);
}

/* Turns bodies and gravity; the planes were made turned. */
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
		for (int j = 0; j < 4; j++) {
			body->orientation[j] = q[j];
		}
	}
	abut_mat3_vec(d->R, d->down, scene->def.gravity);
	for (int i = 0; i < 3; i++) {
		scene->def.gravity[i] *= gravity;
	}
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
	kinds[out->kind].place(&d);
	turn_scene(&d);
	out->scene.size = fmin(d.size[0], d.size[1]);
	snprintf(out->label, sizeof out->label,
	         "%s, %s on %s, %.3g Hz, friction %.3g, sizes %.3g on %.3g m, masses %.3g", kinds[out->kind].name,
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
