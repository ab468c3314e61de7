/* Places the bodies of each kind of motion of a random scene. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "experiments/reliability/random_draw.h"

/* Drops a body above another one on the floor, at random. */
static void drop(Draw *d)
{
	draw_floor(d);
	AbutBodyDef *lower = draw_body(d, 0), *upper = draw_body(d, 1);
	draw_static(d, lower, 0.3);
	draw_orientation(d, lower->orientation);
	draw_orientation(d, upper->orientation);
	body_lift(lower, draw_gap(d, 0.3));
	draw_put_on(d, upper, lower, draw_gap(d, 1.0), 0.4);
	draw_throw(d, lower);
	draw_throw(d, upper);
}

/* Puts two bodies flat on each other on an incline, whose slope differs from the friction limit by a fraction of 1e-6
 * to 0.5. */
static void slide(Draw *d)
{
	const double off = draw_spread(d, 1e-6, 0.5), sign = draw_chance(d, 0.5) ? 1.0 : -1.0;
	const double slope = atan(d->friction * (1.0 + sign * off));
	const double towards = draw_chance(d, 0.5) ? draw_uniform(d, 0.0, 4.0 * right_angle) : 0.0;
	const double above = draw_chance(d, 0.5) ? 0.0 : d->length * draw_spread(d, 1e-9, 1e-3);
	const double aside = draw_chance(d, 0.5) ? 0.0 : 0.6;
	d->down[0] = sin(slope) * cos(towards);
	d->down[1] = sin(slope) * sin(towards);
	d->down[2] = -cos(slope);
	draw_floor(d);
	AbutBodyDef *lower = draw_body(d, 0), *upper = draw_body(d, 1);
	draw_static(d, lower, 0.4);
	draw_face_down(d, lower->orientation);
	draw_face_down(d, upper->orientation);
	draw_yaw(d, lower->orientation);
	draw_yaw(d, upper->orientation);
	body_lift(lower, 0.0);
	draw_put_on(d, upper, lower, above, aside);
	draw_creep(d, lower);
	draw_creep(d, upper);
}

/* Spins bodies like tops, upright on a side, an edge or a tip: dt w / 2 is 0.005 to 3, where dt is the timestep and w
 * the spin (rad/s). One scene in four has no gravity. */
static void spin(Draw *d)
{
	double axis[3];
	const bool upright = draw_chance(d, 0.5), centred = draw_chance(d, 0.5);
	if (draw_chance(d, 0.25)) {
		d->down[2] = 0.0;
	}
	draw_floor(d);
	AbutBodyDef *lower = draw_body(d, 0), *upper = draw_body(d, 1);
	draw_static(d, lower, 0.4);
	draw_face_down(d, lower->orientation);
	draw_edge_or_any(d, upper->orientation);
	draw_yaw(d, lower->orientation);
	body_lift(lower, 0.0);
	draw_put_on(d, upper, lower, draw_gap(d, 0.3), centred ? 0.0 : 0.9);
	draw_direction(d, axis);
	draw_spin_about(d, upper, upright ? along_z : axis, 2.0 / d->timestep * draw_spread(d, 0.005, 3.0));
	if (d->down[2] == 0.0) {
		body_move_along(upper, along_z, -d->speed * draw_uniform(d, 0.1, 1.0));
	}
	if (!lower->is_static && draw_chance(d, 0.5)) {
		draw_direction(d, axis);
		draw_spin_about(d, lower, axis, 2.0 / d->timestep * draw_spread(d, 0.005, 3.0));
	}
}

/* Drops both bodies, one after the other, into a groove of two planes, 4 to 170 degrees wide. */
static void groove(Draw *d)
{
	const double half = draw_uniform(d, 0.035, 1.48), c = cos(half), s = sin(half);
	const bool symmetric = draw_chance(d, 0.5);
	const double other = symmetric ? half : draw_uniform(d, 0.035, 1.48);
	const double normals[2][3] = {{c, 0.0, s}, {-cos(other), 0.0, sin(other)}};
	double floor_height[2];
	draw_plane(d, normals[0], 0.0);
	draw_plane(d, normals[1], 0.0);
	AbutBodyDef *bodies[2] = {draw_body(d, 0), NULL};
	bodies[1] = draw_body(d, 1);
	for (int i = 0; i < 2; i++) {
		draw_edge_or_any(d, bodies[i]->orientation);
		/* the height above the line where the planes meet, at which the body would touch either plane */
		for (int j = 0; j < 2; j++) {
			const double back[3] = {-normals[j][0], -normals[j][1], -normals[j][2]};
			floor_height[j] = body_reach(bodies[i], back) / normals[j][2];
		}
		bodies[i]->position[2] = fmax(floor_height[0], floor_height[1]) + draw_gap(d, 0.3);
	}
	bodies[1]->position[2] =
	    fmax(bodies[1]->position[2],
	         body_top(bodies[0]) + body_reach(bodies[1], (const double[3]){0.0, 0.0, -1.0}) + draw_gap(d, 0.3));
	if (draw_chance(d, 0.5)) {
		draw_throw(d, bodies[1]);
	}
}

/* Drops the upper body between two lower ones that are closer together than it is wide. */
static void between(Draw *d)
{
	draw_floor(d);
	AbutBodyDef *first = draw_body(d, 0), *second = draw_copy(d, first), *upper = draw_body(d, 1);
	const bool fixed = draw_chance(d, 0.5);
	draw_face_down(d, first->orientation);
	draw_yaw(d, first->orientation);
	draw_edge_or_any(d, upper->orientation);
	memcpy(second->orientation, first->orientation, 4 * sizeof(double));
	draw_static(d, first, fixed);
	draw_static(d, second, fixed);
	body_lift(first, 0.0);
	body_lift(second, 0.0);
	const double half =
	    0.5 * (body_width(first, along_x) + body_width(upper, along_x) * draw_uniform(d, 0.02, 0.98));
	first->position[0] = -half;
	second->position[0] = half;
	body_lift(upper, body_top(first) + draw_gap(d, 0.3));
	if (draw_chance(d, 0.5)) {
		draw_throw(d, upper);
	}
}

static void wedge(Draw *d)
{
	(draw_chance(d, 0.5) ? groove : between)(d);
}

/* Puts an edge or a corner above a face or an edge, at its middle or rim. The body falls straight, is thrown or creeps.
 */
static void edge(Draw *d)
{
	static const double offs[3] = {0.0, 0.5, 1.0};
	const double off = offs[draw_choose(d, 3)];
	draw_floor(d);
	AbutBodyDef *lower = draw_body(d, 0), *upper = draw_body(d, 1);
	draw_static(d, lower, 0.4);
	(draw_chance(d, 0.5) ? draw_face_down : draw_edge_down)(d, lower->orientation);
	draw_yaw(d, lower->orientation);
	draw_edge_down(d, upper->orientation);
	draw_yaw(d, upper->orientation);
	draw_jitter(d, upper->orientation);
	body_lift(lower, 0.0);
	draw_put_on(d, upper, lower, draw_gap(d, 0.3), off);
	if (draw_chance(d, 0.5)) { /* over the rim */
		upper->position[0] = lower->position[0] + body_reach(lower, along_x);
	}
	if (draw_chance(d, 0.3)) {
		draw_throw(d, upper);
	} else {
		draw_creep(d, upper);
	}
}

/* Stacks two to four bodies with sides facing each other: exactly aligned, flush, or displaced. */
static void face(Draw *d)
{
	AbutBodyDef *below = NULL;
	const int height = 2 + draw_choose(d, 3);
	const bool copies = draw_chance(d, 0.5), turned = draw_chance(d, 0.5);
	const double off = draw_chance(d, 0.5) ? 0.0 : draw_uniform(d, 0.0, 0.7);
	AbutBodyDef *first[2] = {NULL, NULL};
	draw_floor(d);
	for (int i = 0; i < height; i++) {
		const int which = i % 2;
		AbutBodyDef *body = copies && first[which] ? draw_copy(d, first[which]) : draw_body(d, which);
		if (copies && first[which]) {
			memcpy(body->orientation, first[which]->orientation, 4 * sizeof(double));
		} else {
			draw_face_down(d, body->orientation);
			if (turned) {
				draw_yaw(d, body->orientation);
			}
		}
		first[which] = first[which] ? first[which] : body;
		if (below) {
			draw_put_on(d, body, below, draw_chance(d, 0.7) ? 0.0 : draw_gap(d, 0.05), off);
		} else {
			body_lift(body, 0.0);
			draw_static(d, body, 0.2);
		}
		if (draw_chance(d, 0.3)) {
			draw_creep(d, body);
		}
		below = body;
	}
}

/* Throws a body at another one that rests or floats, at 1 to 50 m/s but at most 100 L a step. */
static void impact(Draw *d)
{
	double from[3], aim[3];
	const bool floating = draw_chance(d, 0.3);
	const double fast = fmin(draw_spread(d, 1.0, 50.0), 100.0 * d->length / d->timestep);
	if (floating) {
		d->down[2] = 0.0;
	} else {
		draw_floor(d);
	}
	AbutBodyDef *lower = draw_body(d, 0), *upper = draw_body(d, 1);
	draw_static(d, lower, 0.3);
	draw_edge_or_any(d, lower->orientation);
	draw_edge_or_any(d, upper->orientation);
	body_lift(lower, 0.0);
	draw_direction(d, from);
	from[2] = fabs(from[2]);
	if (draw_chance(d, 0.3)) {
		abut_copy3(along_z, from);
	}
	const double back[3] = {-from[0], -from[1], -from[2]};
	const double away = fmin(fast * d->timestep * draw_uniform(d, 0.0, 2.0), 5.0 * d->length);
	const double distance = body_reach(lower, from) + body_reach(upper, back) + away;
	draw_direction(d, aim);
	const double along = abut_dot3(aim, from);
	const double miss = draw_chance(d, 0.5) ? 0.0 : 0.4 * d->size[0] * draw_uniform(d, 0.0, 1.0);
	for (int i = 0; i < 3; i++) {
		upper->position[i] = lower->position[i] + distance * from[i] + miss * (aim[i] - along * from[i]);
	}
	if (!floating) {
		upper->position[2] = fmax(upper->position[2], body_reach(upper, (const double[3]){0.0, 0.0, -1.0}));
	}
	body_move_along(upper, from, -fast);
	if (draw_chance(d, 0.5)) {
		double axis[3];
		draw_direction(d, axis);
		draw_spin_about(d, upper, axis, 3.0 * d->speed / d->length * draw_uniform(d, 0.0, 1.0));
	}
}

/* Makes a scene of plates and rods only: dropped, or with a side down. */
static void thin(Draw *d)
{
	draw_floor(d);
	AbutBodyDef *lower = draw_body_thin(d, 0, 1.0), *upper = draw_body_thin(d, 1, 1.0);
	draw_static(d, lower, 0.3);
	const bool flat = draw_chance(d, 0.5);
	(flat ? draw_face_down : draw_orientation)(d, lower->orientation);
	draw_edge_or_any(d, upper->orientation);
	draw_yaw(d, lower->orientation);
	body_lift(lower, draw_gap(d, 0.3));
	draw_put_on(d, upper, lower, draw_gap(d, 1.0), 0.9);
	if (!flat) {
		draw_throw(d, lower);
	}
	draw_throw(d, upper);
}

static const struct {
	const char *name;
	void (*place)(Draw *);
} kinds[RANDOM_SCENE_KINDS] = {{"drop", drop}, {"slide", slide}, {"spin", spin},     {"wedge", wedge},
                               {"edge", edge}, {"face", face},   {"impact", impact}, {"thin", thin}};

const char *draw_motion_name(int kind)
{
	return kinds[kind].name;
}

void draw_motion(Draw *d, int kind)
{
	kinds[kind].place(d);
}
