/* Draws random numbers, orientations and bodies of scenes. Lengths and speeds without a given unit are in the units of
 * the scene, L and V = sqrt(g L). */
#pragma once

#include "base/rng.h"
#include "experiments/reliability/random_scene.h"

/* m/s^2 */
static const double draw_gravity = 9.81;
static const double along_x[3] = {1.0, 0.0, 0.0}, along_y[3] = {0.0, 1.0, 0.0}, along_z[3] = {0.0, 0.0, 1.0};
static const double right_angle = 1.5707963267948966;

typedef struct Draw {
	AbutRng rng;
	RandomScene *out;
	int lower, upper;     /* indices of the lower and upper shape */
	double size[2];       /* m, of the lower and upper bodies */
	double mass[2];       /* kg, of the lower and upper bodies */
	double length, speed; /* m, m/s: the units L and V */
	double timestep;      /* s */
	double friction;      /* coefficient */
	double down[3];       /* direction of gravity before the turn */
	double turn[4], R[9]; /* turn of the whole scene */
	bool good;            /* every shape could be made */
} Draw;

/* --- numbers --- */

double draw_uniform(Draw *d, double low, double high);
/* Draws a number with a uniformly distributed logarithm. */
double draw_spread(Draw *d, double low, double high);
bool draw_chance(Draw *d, double probability);
int draw_choose(Draw *d, int n);
void draw_direction(Draw *d, double out[3]);

/* --- orientations --- */

/* Draws an orientation with one of the six sides of a box down. */
void draw_face_down(Draw *d, double q[4]);
/* Draws an orientation with an edge or a corner of a cube down; for a cylinder or cone, its rim, side or tip. */
void draw_edge_down(Draw *d, double q[4]);
/* Adds a small turn with probability 1/2. */
void draw_jitter(Draw *d, double q[4]);
/* Adds a turn about z with probability 1/2. */
void draw_yaw(Draw *d, double q[4]);
void draw_orientation(Draw *d, double q[4]);
/* Draws any orientation, or with probability 1/2 one with a face, an edge or a corner down, turned and jittered as
 * above. */
void draw_edge_or_any(Draw *d, double q[4]);

/* --- bodies (random_body.c) --- */

/* Adds the half space below the plane through `offset * normal`. */
void draw_plane(Draw *d, const double normal[3], double offset);
void draw_floor(Draw *d);
/* Adds a body at the origin: a lower one if `which` is 0, otherwise an upper one. With probability `thin`, usually 0.2,
 * it is a plate or a rod. */
AbutBodyDef *draw_body_thin(Draw *d, int which, double thin);
AbutBodyDef *draw_body(Draw *d, int which);
/* Adds another body of the same shape and mass. */
AbutBodyDef *draw_copy(Draw *d, const AbutBodyDef *body);
/* Makes the body static with the given probability. */
void draw_static(Draw *d, AbutBodyDef *body, double probability);
/* Returns how far a body reaches from the origin of its frame along a unit direction. */
double body_reach(const AbutBodyDef *body, const double along[3]);
double body_width(const AbutBodyDef *body, const double along[3]);
/* Moves the lowest point to height z. */
void body_lift(AbutBodyDef *body, double z);
double body_top(const AbutBodyDef *body);
/* Places a body above another one, at the distance `gap`, displaced horizontally by up to `off` times the sum of their
 * half widths. */
void draw_put_on(Draw *d, AbutBodyDef *upper, const AbutBodyDef *lower, double gap, double off);
/* Draws a gap: none, tiny, or up to `most` L. A fall through it takes at most a fifth of the run. */
double draw_gap(Draw *d, double most);
/* Sets the spin to the rate `spin` (rad/s) about `axis`, limited to what a step allows. */
void draw_spin_about(const Draw *d, AbutBodyDef *body, const double axis[3], double spin);
void body_move_along(AbutBodyDef *body, const double along[3], double speed);
/* Draws the velocity and spin of a thrown body. */
void draw_throw(Draw *d, AbutBodyDef *body);
/* Draws a horizontal velocity: none, or 1e-8 to 1 V. */
void draw_creep(Draw *d, AbutBodyDef *body);

/* Places the bodies of a kind of motion (random_motion.c). */
void draw_motion(Draw *d, int kind);
const char *draw_motion_name(int kind);
