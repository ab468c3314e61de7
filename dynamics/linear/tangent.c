/* Differentiates the states of bodies by the coordinates of the joints. With rates, a state is the end of a step of the
 * length h (dynamics/robot/coordinates.c), so that changes of coordinates move the bodies at both ends of this step. A
 * link moves with the near body and by its own columns,
 *
 *     theta = theta_near + sum a c,      dx = dx_near + theta_near x arm + sum (a x lever) c,
 *
 * at the beginning with the changes c- = c - h c' of the coordinates. From both ends follow dv = (dx - dx-) / h and
 * domega. A spin omega turns the body by the quaternion p = (sqrt(1 - a . a), a), a = -h omega / 2, back to the
 * beginning; a small turn e after it, about the body's axes, changes a by da = (p0 e + a x e) / 2. The rates of a ball
 * times h are s = vee(E - E') / 2 of its turn E in the step; with its turn back, F = E', and a small turn e after it,
 * ds- = (trace(F) - F') e / 2.
 *
 * Compared with differences in tests/dynamics/linear/test_linear.c. */
#include "dynamics/linear/tangent.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/lane_algebra.h"
#include "base/vec3.h"
#include "dynamics/gradient/gradient.h"
#include "dynamics/robot/pose.h"

enum { COLUMNS = ABUT_GRADIENT_COLUMNS };

/* --- placing --- */

/* Sets the turn of a body back to the start of its step. */
static void set_turn(const AbutBodyState *at, AbutTangentLink *out)
{
	double p[4], a[3], across[9], turn[9];
	const double h = out->timestep;
	abut_scale3(-0.5 * h, at->angular_velocity, a);
	p[0] = sqrt(abut_max(0.0, 1.0 - abut_dot3(a, a)));
	abut_copy3(a, &p[1]);
	abut_quat_to_mat3(p, turn);
	abut_skew3(a, across);
	for (int i = 0; i < 9; i++) {
		const double one = i % 4 == 0 ? p[0] : 0.0;
		out->turn[i] = turn[i % 3 * 3 + i / 3];
		out->spin[i] = -h * (one - across[i] + a[i / 3] * a[i % 3] / p[0]);
		out->unspin[i] = -(one + across[i]) / h;
	}
}

/* Computes the inverse of M. */
static void invert(const double M[9], double out[9])
{
	double rows[9];
	for (int i = 0; i < 3; i++) { /* of the adjugate, transposed */
		abut_cross3(&M[3 * ((i + 1) % 3)], &M[3 * ((i + 2) % 3)], &rows[3 * i]);
	}
	const double determinant = abut_dot3(M, rows);
	for (int i = 0; i < 9; i++) {
		out[i] = rows[i % 3 * 3 + i / 3] / determinant;
	}
}

/* Returns the turn of a joint's child seen from its parent. */
static void turn_of_joint(const AbutRobot *robot, const AbutJoint *joint, double M[9])
{
	double anchor[3];
	const AbutJointPose pose = abut_robot_joint_pose(robot, joint, anchor);
	abut_mat3_transposed_mul(pose.A, pose.B, M);
}

/* Sets the turn of a ball in the step. `before` is its turn at the start. */
static void set_ball(const AbutRobot *robot, const AbutJoint *joint, const double before[9], AbutTangentLink *out)
{
	double M[9], E[9], half[9];
	turn_of_joint(robot, joint, M);
	abut_mat3_transposed_mul(before, M, E);
	for (int i = 0; i < 9; i++) {
		half[i] = 0.5 * ((i % 4 == 0 ? E[0] + E[4] + E[8] : 0.0) - E[i]);
	}
	memcpy(out->own_turn, E, sizeof E);
	invert(half, out->own_spin);
	for (int i = 0; i < 9; i++) {
		out->own_spin[i] *= -out->timestep;
	}
}

/* Sets what a link has of its own. The robot's poses are those at the end; `before` is the turn of a ball. */
static void set_link(const AbutRobot *robot, const AbutLink *link, const AbutBodyState *at, const double before[9],
                     AbutTangentLink *out)
{
	const AbutRobotPose *own = &robot->poses[link->body], *near = &robot->poses[link->near];
	memcpy(out->R, own->R, sizeof out->R);
	memcpy(out->past_R, own->past_R, sizeof out->past_R);
	abut_sub3(own->x, near->x, out->arm);
	set_turn(at, out);
	for (int k = 0; k < ABUT_ROBOT_BASE; k++) {
		out->by_rate[k] = -out->timestep;
	}
	if (link->joint < 0 && link->n_v == ABUT_ROBOT_PLANAR) { /* the turn about the world's y */
		double turned[3];
		abut_mat3_vec(out->spin, &out->R[3], turned);
		out->by_rate[2] = abut_dot3(&out->R[3], turned);
	}
	out->turns = -1;
	if (link->n_v == ABUT_ROBOT_BASE) {
		out->turns = 3;
		memcpy(out->own_turn, out->turn, sizeof out->turn);
		memcpy(out->own_spin, out->spin, sizeof out->spin);
	} else if (abut_robot_is_ball(robot, link)) {
		out->turns = 0;
		set_ball(robot, &robot->model->joints.at[link->joint], before, out);
	}
}

/* Reads the columns at the poses of the robot. */
static void read_columns(const AbutTangent *tangent, bool past)
{
	const AbutRobot *robot = tangent->robot;
	for (int v = 0; v < robot->n_v; v++) {
		const double *x = robot->poses[robot->links[robot->link_of_v[v]].body].x;
		double *to = past ? tangent->columns[v].past : tangent->columns[v].now;
		AbutColumn *own = past ? &tangent->past[v] : &tangent->now[v];
		abut_column_velocity(&robot->columns[v], x, to, to + 3);
		*own = robot->columns[v];
		abut_sub3(own->point, x, own->point);
	}
}

void abut_tangent_place(AbutRobot *robot, const AbutBodyState *motion, const double *timestep, AbutTangent *out)
{
	const AbutModel *model = robot->model;
	for (int i = 0; i < robot->n_links; i++) {
		out->links[i].timestep = timestep[model->bodies[robot->links[i].body].moving];
	}
	abut_robot_set_motions(robot, motion, timestep);
	abut_robot_swap_times(robot);
	abut_robot_set_columns(robot);
	read_columns(out, true);
	for (int i = 0; i < robot->n_links; i++) {
		const AbutLink *link = &robot->links[i];
		abut_sub3(robot->poses[link->body].x, robot->poses[link->near].x, out->links[i].past_arm);
		if (abut_robot_is_ball(robot, link)) { /* kept here until its use by set_link */
			turn_of_joint(robot, &model->joints.at[link->joint], out->links[i].own_turn);
		}
	}
	abut_robot_swap_times(robot);
	abut_robot_set_columns(robot);
	read_columns(out, false);
	for (int i = 0; i < robot->n_links; i++) {
		const AbutLink *link = &robot->links[i];
		double before[9];
		memcpy(before, out->links[i].own_turn, sizeof before);
		set_link(robot, link, &motion[model->bodies[link->body].moving], before, &out->links[i]);
	}
}

/* --- forward --- */

/* Moves a link with the near body. */
ALWAYS_INLINE void carry(const AbutLanes *near, const double arm[3], AbutLanes own[6])
{
	memcpy(own, near, 6 * sizeof *own);
	abut_lanes_add_cross(&near[3], arm, own);
}

/* Adds the motion by a freedom. */
ALWAYS_INLINE void add_column(const double column[6], const AbutLanes by, AbutLanes own[6])
{
	for (int i = 0; i < 6; i++) {
		abut_lanes_add(own[i], column[i], by);
	}
}

/* Computes the changes of a link's past coordinates. */
ALWAYS_INLINE void past_changes(const AbutTangentLink *own, int n_v, const AbutLanes *c, const AbutLanes *rate,
                                AbutLanes *past)
{
	for (int k = 0; k < n_v; k++) {
		memcpy(past[k], c[k], sizeof past[k]);
		abut_lanes_add(past[k], own->by_rate[k], rate[k]);
	}
	if (own->turns >= 0) {
		abut_lanes_mat3(own->own_turn, &c[own->turns], &past[own->turns]);
		for (int i = 0; i < 3; i++) {
			abut_lanes_add_dot(&own->own_spin[3 * i], &rate[own->turns], past[own->turns + i]);
		}
	}
}

/* Writes the change of a body's state from its motions at both ends of the step. */
ALWAYS_INLINE void write_state(const AbutTangentLink *own, const AbutLanes now[6], const AbutLanes past[6],
                               AbutLanes *out)
{
	AbutLanes phi[3], spun[3];
	const double per = 1.0 / own->timestep;
	abut_lanes_tmat3(own->R, &now[3], phi);
	abut_lanes_tmat3(own->past_R, &past[3], spun);
	for (int i = 0; i < 3; i++) {
		for (int l = 0; l < ABUT_LANES; l++) {
			out[ABUT_GRADIENT_POSITION + i][l] = now[i][l];
			out[ABUT_GRADIENT_ROTATION + i][l] = phi[i][l];
			out[ABUT_GRADIENT_LINEAR + i][l] = per * (now[i][l] - past[i][l]);
			spun[i][l] -= own->turn[3 * i] * phi[0][l] + own->turn[3 * i + 1] * phi[1][l] +
			              own->turn[3 * i + 2] * phi[2][l];
		}
	}
	abut_lanes_mat3(own->unspin, spun, &out[ABUT_GRADIENT_ANGULAR]);
	memset(&out[ABUT_GRADIENT_FORCE], 0, (COLUMNS - ABUT_GRADIENT_FORCE) * sizeof *out);
}

ABUT_CLONES void abut_tangent_spread(const AbutTangent *tangent, const AbutLanes *by, AbutLanes *scratch,
                                     AbutLanes *change)
{
	const AbutRobot *robot = tangent->robot;
	for (int i = 0; i < robot->n_links; i++) {
		const AbutLink *link = &robot->links[i];
		const AbutTangentLink *own = &tangent->links[i];
		AbutLanes *now = &scratch[12 * i], *past = now + 6, rates[ABUT_ROBOT_BASE];
		const int near = robot->link_of[link->near];
		if (near >= 0) {
			carry(&scratch[12 * near], own->arm, now);
			carry(&scratch[12 * near + 6], own->past_arm, past);
		} else {
			memset(now, 0, 12 * sizeof *now);
		}
		past_changes(own, link->n_v, &by[link->v], &by[robot->n_v + link->v], rates);
		for (int k = 0; k < link->n_v; k++) {
			add_column(tangent->columns[link->v + k].now, by[link->v + k], now);
			add_column(tangent->columns[link->v + k].past, rates[k], past);
		}
		write_state(own, now, past, &change[COLUMNS * robot->model->bodies[link->body].moving]);
	}
}

/* --- backward --- */

/* Adds the gradients by a body's motions at both ends of the step. */
ALWAYS_INLINE void read_state(const AbutTangentLink *own, const AbutLanes *by, AbutLanes now[6], AbutLanes past[6])
{
	AbutLanes back[3], turned[3], phi[3], world[3];
	const double per = 1.0 / own->timestep;
	abut_lanes_tmat3(own->unspin, &by[ABUT_GRADIENT_ANGULAR], back);
	abut_lanes_tmat3(own->turn, back, turned);
	for (int i = 0; i < 3; i++) {
		for (int l = 0; l < ABUT_LANES; l++) {
			phi[i][l] = by[ABUT_GRADIENT_ROTATION + i][l] - turned[i][l];
		}
	}
	abut_lanes_mat3(own->R, phi, world);
	abut_lanes_mat3(own->past_R, back, turned);
	for (int i = 0; i < 3; i++) {
		for (int l = 0; l < ABUT_LANES; l++) {
			const double velocity = by[ABUT_GRADIENT_LINEAR + i][l] * per;
			now[i][l] += by[ABUT_GRADIENT_POSITION + i][l] + velocity;
			now[3 + i][l] += world[i][l];
			past[i][l] -= velocity;
			past[3 + i][l] += turned[i][l];
		}
	}
}

/* Adds a link's gradients to those of the near body. */
ALWAYS_INLINE void carry_back(const AbutLanes own[6], const double arm[3], AbutLanes near[6])
{
	const double against[3] = {-arm[0], -arm[1], -arm[2]};
	for (int i = 0; i < 6; i++) {
		abut_lanes_add(near[i], 1.0, own[i]);
	}
	abut_lanes_add_cross(own, against, &near[3]);
}

ALWAYS_INLINE void dot_column(const double column[6], const AbutLanes by[6], AbutLanes out)
{
	abut_lanes_zero(out);
	for (int i = 0; i < 6; i++) {
		abut_lanes_add(out, column[i], by[i]);
	}
}

/* Computes the gradients by a link's coordinates, to which they are added, and rates from those by its past
 * coordinates. */
ALWAYS_INLINE void past_gradient(const AbutTangentLink *own, int n_v, const AbutLanes *past, AbutLanes *c,
                                 AbutLanes *rate)
{
	for (int k = 0; k < n_v; k++) {
		const bool turns = own->turns >= 0 && k >= own->turns;
		abut_lanes_add(c[k], turns ? 0.0 : 1.0, past[k]);
		abut_lanes_zero(rate[k]);
		abut_lanes_add(rate[k], turns ? 0.0 : own->by_rate[k], past[k]);
	}
	for (int i = 0; own->turns >= 0 && i < 3; i++) {
		for (int k = 0; k < 3; k++) {
			abut_lanes_add(c[own->turns + k], own->own_turn[3 * i + k], past[own->turns + i]);
			abut_lanes_add(rate[own->turns + k], own->own_spin[3 * i + k], past[own->turns + i]);
		}
	}
}

ABUT_CLONES void abut_tangent_gather(const AbutTangent *tangent, const AbutLanes *by, AbutLanes *scratch,
                                     AbutLanes *out)
{
	const AbutRobot *robot = tangent->robot;
	memset(scratch, 0, 12 * (size_t)robot->n_links * sizeof *scratch);
	for (int i = robot->n_links - 1; i >= 0; i--) {
		const AbutLink *link = &robot->links[i];
		const AbutTangentLink *own = &tangent->links[i];
		AbutLanes *now = &scratch[12 * i], *past = now + 6, rates[ABUT_ROBOT_BASE];
		const int near = robot->link_of[link->near];
		read_state(own, &by[COLUMNS * robot->model->bodies[link->body].moving], now, past);
		for (int k = 0; k < link->n_v; k++) {
			dot_column(tangent->columns[link->v + k].now, now, out[link->v + k]);
			dot_column(tangent->columns[link->v + k].past, past, rates[k]);
		}
		past_gradient(own, link->n_v, rates, &out[link->v], &out[robot->n_v + link->v]);
		if (near >= 0) {
			carry_back(now, own->arm, &scratch[12 * near]);
			carry_back(past, own->past_arm, &scratch[12 * near + 6]);
		}
	}
}
