/* Differentiates coordinates of joints and their rates by the states of bodies. The axes of a joint's freedoms are
 * orthogonal, so a coordinate changes by the motion of the link against the near body along its own axis, or about it.
 * A rate is the change of the coordinate over the step h, so it has this row at the end and the opposite row at the
 * start. The pose at the start follows from the state at the end: phi- = turn phi + spin domega, dx- = dx - h dv
 * (dynamics/linear/tangent.h). The rates of a ball are s / h with s = vee(E - E') / 2 of its turn E in the step, and
 *
 *     ds = K (e - E' e-),      K = (trace(E) - E') / 2,
 *
 * of small turns e and e- about the child's axes at both ends.
 *
 * Compared with differences in tests/dynamics/linear/test_linear.c. */
#include "dynamics/linear/rows.h"

#include <string.h>

#include "base/clones.h"
#include "base/lane_algebra.h"
#include "base/vec3.h"

enum { ROWS = ABUT_GRADIENT_ROWS };

/* The row of a coordinate by displacements and turns (world) of the link and of the near body. */
typedef struct Wrench {
	double of[2][6];
} Wrench;

/* Returns the row of a freedom at one end of the step. `arm` is that of the link at this end. */
static Wrench wrench_of(const AbutColumn *column, const double arm[3])
{
	Wrench out = {.of = {{0.0}}};
	if (!column->slides) {
		abut_copy3(column->axis, &out.of[0][3]);
		abut_scale3(-1.0, column->axis, &out.of[1][3]);
		return out;
	}
	double lever[3], moment[3];
	abut_add3(column->point, arm, lever);
	abut_copy3(column->axis, out.of[0]);
	abut_cross3(column->point, column->axis, &out.of[0][3]);
	abut_scale3(-1.0, column->axis, out.of[1]);
	abut_cross3(lever, column->axis, moment);
	abut_scale3(-1.0, moment, &out.of[1][3]);
	return out;
}

/* A link and the near body, whose states a row is by. */
typedef struct Sides {
	const AbutTangentLink *link[2]; /* NULL: the ground */
} Sides;

/* Adds a row at the end of the step, times `factor`. */
static void add_now(const Sides *sides, const Wrench *wrench, double factor, AbutCoordinateRow *out)
{
	for (int s = 0; s < 2; s++) {
		double *by = out->by[s], turned[3];
		if (!sides->link[s]) {
			continue;
		}
		abut_add_scaled3(&by[ABUT_GRADIENT_POSITION], factor, wrench->of[s], &by[ABUT_GRADIENT_POSITION]);
		abut_mat3_tvec(sides->link[s]->R, &wrench->of[s][3], turned);
		abut_add_scaled3(&by[ABUT_GRADIENT_ROTATION], factor, turned, &by[ABUT_GRADIENT_ROTATION]);
	}
}

/* Adds a row at the start of the step. */
static void add_past(const Sides *sides, const Wrench *wrench, double factor, AbutCoordinateRow *out)
{
	for (int s = 0; s < 2; s++) {
		const AbutTangentLink *link = sides->link[s];
		double *by = out->by[s], own[3], turned[3];
		if (!link) {
			continue;
		}
		abut_add_scaled3(&by[ABUT_GRADIENT_POSITION], factor, wrench->of[s], &by[ABUT_GRADIENT_POSITION]);
		abut_add_scaled3(&by[ABUT_GRADIENT_LINEAR], -factor * link->timestep, wrench->of[s],
		                 &by[ABUT_GRADIENT_LINEAR]);
		abut_mat3_tvec(link->past_R, &wrench->of[s][3], own);
		abut_mat3_tvec(link->turn, own, turned);
		abut_add_scaled3(&by[ABUT_GRADIENT_ROTATION], factor, turned, &by[ABUT_GRADIENT_ROTATION]);
		abut_mat3_tvec(link->spin, own, turned);
		abut_add_scaled3(&by[ABUT_GRADIENT_ANGULAR], factor, turned, &by[ABUT_GRADIENT_ANGULAR]);
	}
}

/* Sets the rows of a base: entries of the body's own state. */
static void base_rows(const AbutTangentLink *own, int n_v, AbutCoordinateRow *of_q, AbutCoordinateRow *of_rate)
{
	static const int plane[2] = {0, 2};
	for (int k = 0; k < n_v; k++) {
		const bool planar = n_v == ABUT_ROBOT_PLANAR;
		if (planar && k == 2) { /* the turn about the world's y */
			abut_copy3(&own->R[3], &of_q[k].by[0][ABUT_GRADIENT_ROTATION]);
			abut_copy3(&own->R[3], &of_rate[k].by[0][ABUT_GRADIENT_ANGULAR]);
			continue;
		}
		const int entry = planar ? plane[k] : k;
		of_q[k].by[0][ABUT_GRADIENT_POSITION + entry] = 1.0;
		of_rate[k].by[0][ABUT_GRADIENT_LINEAR + entry] = 1.0;
	}
}

/* Sets the rows of the rates of a ball. */
static void ball_rates(const Sides *sides, const Wrench *now, const Wrench *past, AbutCoordinateRow *out)
{
	const AbutTangentLink *own = sides->link[0];
	const double *E = own->own_turn;
	double K[9], back[9];
	for (int i = 0; i < 9; i++) {
		K[i] = 0.5 / own->timestep * ((i % 4 == 0 ? E[0] + E[4] + E[8] : 0.0) - E[i % 3 * 3 + i / 3]);
	}
	abut_mat3_mul_transposed(K, E, back);
	for (int i = 0; i < 9; i++) {
		add_now(sides, &now[i % 3], K[i], &out[i / 3]);
		add_past(sides, &past[i % 3], -back[i], &out[i / 3]);
	}
}

static void joint_rows(const AbutTangent *tangent, const AbutLink *link, const Sides *sides, AbutCoordinateRow *of_q,
                       AbutCoordinateRow *of_rate)
{
	const AbutTangentLink *own = sides->link[0];
	Wrench now[ABUT_JOINT_FREEDOMS], past[ABUT_JOINT_FREEDOMS];
	for (int k = 0; k < link->n_v; k++) {
		now[k] = wrench_of(&tangent->now[link->v + k], own->arm);
		past[k] = wrench_of(&tangent->past[link->v + k], own->past_arm);
		add_now(sides, &now[k], 1.0, &of_q[k]);
		if (own->turns < 0) {
			add_now(sides, &now[k], 1.0 / own->timestep, &of_rate[k]);
			add_past(sides, &past[k], -1.0 / own->timestep, &of_rate[k]);
		}
	}
	if (own->turns >= 0) {
		ball_rates(sides, now, past, of_rate);
	}
}

void abut_coordinate_rows(const AbutTangent *tangent, AbutCoordinateRow *out)
{
	const AbutRobot *robot = tangent->robot;
	for (int i = 0; i < robot->n_links; i++) {
		const AbutLink *link = &robot->links[i];
		const int near = robot->link_of[link->near];
		const Sides sides = {{&tangent->links[i], near >= 0 ? &tangent->links[near] : NULL}};
		AbutCoordinateRow *of_q = &out[link->v], *of_rate = &out[robot->n_v + link->v];
		for (int k = 0; k < link->n_v; k++) {
			of_q[k] =
			    (AbutCoordinateRow){.body = {robot->model->bodies[link->body].moving,
			                                 near >= 0 ? robot->model->bodies[link->near].moving : -1}};
			of_rate[k] = of_q[k];
		}
		if (link->joint < 0) {
			base_rows(&tangent->links[i], link->n_v, of_q, of_rate);
		} else {
			joint_rows(tangent, link, &sides, of_q, of_rate);
		}
	}
}

ABUT_CLONES void abut_coordinate_rows_multiply(int n, const AbutCoordinateRow *rows, const AbutLanes *change,
                                               AbutLanes *out)
{
	for (int i = 0; i < n; i++) {
		abut_lanes_zero(out[i]);
		for (int s = 0; s < 2 && rows[i].body[s] >= 0; s++) {
			for (int c = 0; c < ROWS; c++) {
				abut_lanes_add(out[i], rows[i].by[s][c], change[ROWS * rows[i].body[s] + c]);
			}
		}
	}
}

void abut_coordinate_row_pull(const AbutCoordinateRow *row, double by, int lane, AbutLanes *out)
{
	for (int s = 0; s < 2 && row->body[s] >= 0; s++) {
		for (int c = 0; c < ROWS; c++) {
			out[ROWS * row->body[s] + c][lane] += by * row->by[s][c];
		}
	}
}
