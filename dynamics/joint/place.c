/* Forward kinematics of the initial state. A joint has the frames F_a and F_b in the world, and F_b = F_a M(c) with the
 * motion M of its coordinates. From its near body, which is placed, this gives the far one. The velocities are those of
 * a step, v = (x - x-) / dt and w = 2 vec(q q-*) / dt, whose start x-, q- has the coordinates c - dt c'; so the joints
 * are closed at both ends.
 *
 * Roots are the world and static bodies, then bodies that are no joint's child, then any. A body is reached through
 * joints with given coordinates before others; joints without follow as they are. Tested in
 * tests/dynamics/joint/test_place.c. */
#include "dynamics/joint/place.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/joint/couple.h"
#include "dynamics/model/check.h"
#include "dynamics/model/scale.h"

/* A rigid motion: R x + p. */
typedef struct Motion {
	double R[9], p[3];
} Motion;

typedef struct Reached {
	bool reached, moved, driven; /* the body; its pose, its velocity are from joints */
	Motion now, before;          /* poses of the body's frame, SI; `before` a timestep before */
} Reached;

typedef struct Placing {
	AbutModel *model;
	bool closed;        /* the poses are those of closed joints, which have the given coordinates or have yielded */
	Reached *bodies;    /* (n_bodies + 1) with the world */
	int *first, *edges; /* joints of body i: edges[first[i]] to edges[first[i + 1]] */
	int *queue[2];      /* joints to cross, 2 n each: with given coordinates, others */
	int n[2], at[2];
} Placing;

/* --- motions --- */

static Motion compose(const Motion *a, const Motion *b)
{
	Motion out = {.R = {0.0}, .p = {0.0}};
	abut_mat3_mul(a->R, b->R, out.R);
	abut_mat3_vec(a->R, b->p, out.p);
	abut_add3(out.p, a->p, out.p);
	return out;
}

static Motion inverse(const Motion *a)
{
	Motion out = {.R = {0.0}, .p = {0.0}};
	double p[3];
	for (int i = 0; i < 9; i++) {
		out.R[i] = a->R[i % 3 * 3 + i / 3];
	}
	abut_mat3_vec(out.R, a->p, p);
	abut_scale3(-1.0, p, out.p);
	return out;
}

/* Returns the frame of a joint on a side, in the body's frame. */
static Motion frame_of(const AbutModel *model, const AbutJoint *joint, int side)
{
	Motion out = {.R = {0.0}, .p = {0.0}};
	memcpy(out.R, joint->axes[side], sizeof out.R);
	abut_scale3(model->units.length, joint->place[side], out.p);
	if (joint->body[side] < model->n_bodies) {
		abut_add3(out.p, model->bodies[joint->body[side]].centre_of_mass, out.p);
	}
	return out;
}

static Motion motion_of(const AbutJointKind *kind, const double *c)
{
	Motion out = {.R = {0.0}, .p = {0.0}};
	abut_joint_motion(kind, c, out.R, out.p);
	return out;
}

/* Returns the motion of a joint a timestep before it has the coordinates `c`, by the given rates. Those of a ball are
 * sines of the turn in a step, about axes of the child. */
static Motion motion_before(const AbutJoint *joint, const double *c, double timestep)
{
	const AbutJointKind *kind = abut_joint_coordinates(joint);
	double back[ABUT_JOINT_FREEDOMS];
	abut_scale3(joint->driven ? -timestep : 0.0, joint->velocity, back);
	if (!kind->freedom[0].spins) {
		abut_add3(c, back, back);
		return motion_of(kind, back);
	}
	const double sine = abut_norm3(back);
	abut_scale3(sine > 0.0 ? asin(abut_min(sine, 1.0)) / sine : 1.0, back, back);
	const Motion now = motion_of(kind, c), turn = motion_of(kind, back);
	return compose(&now, &turn);
}

static const Motion none = {.R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};

/* Sets the pose a timestep before the present one, by the body's own velocity. */
static void step_back(const AbutModel *model, int body, Reached *at)
{
	at->before = at->now;
	if (body == model->n_bodies) {
		return;
	}
	const AbutBody *own = &model->bodies[body];
	double turn[4], com[3], back[3], R[9];
	abut_mat3_vec(at->now.R, own->initial.angular_velocity, &turn[1]);
	abut_scale3(-0.5 * model->timestep_si, &turn[1], &turn[1]);
	turn[0] = sqrt(abut_max(0.0, 1.0 - abut_dot3(&turn[1], &turn[1])));
	abut_quat_normalise(turn);
	abut_quat_to_mat3(turn, R);
	abut_mat3_mul(R, at->now.R, at->before.R);
	abut_mat3_vec(at->now.R, own->centre_of_mass, com);
	abut_add3(at->now.p, com, com);
	abut_add_scaled3(com, -model->timestep_si, own->initial.linear_velocity, com);
	abut_mat3_vec(at->before.R, own->centre_of_mass, back);
	abut_sub3(com, back, at->before.p);
}

/* Reads the pose of the definition. */
static void read_pose(const AbutModel *model, int body, Reached *out)
{
	out->now = none;
	if (body < model->n_bodies) {
		abut_quat_to_mat3(model->bodies[body].initial.orientation, out->now.R);
		abut_copy3(model->bodies[body].initial.position, out->now.p);
	}
	step_back(model, body, out);
}

/* --- crossing a joint --- */

/* Reads the coordinates of a joint at the poses of the definition. */
static void read_coordinates(const AbutModel *model, const AbutJoint *joint, const Motion *parent, const Motion *child,
                             double c[ABUT_JOINT_FREEDOMS])
{
	const Motion frame[2] = {frame_of(model, joint, 0), frame_of(model, joint, 1)};
	const Motion F[2] = {compose(parent, &frame[0]), compose(child, &frame[1])};
	AbutJointPose pose = {.length = 1.0};
	AbutJointRow rows[ABUT_JOINT_ROWS];
	memcpy(pose.A, F[0].R, sizeof pose.A);
	memcpy(pose.B, F[1].R, sizeof pose.B);
	abut_sub3(F[1].p, F[0].p, pose.d);
	abut_joint_free_rows(abut_joint_coordinates(joint), &pose, rows);
	for (int i = 0; i < abut_joint_coordinates(joint)->n_freedoms; i++) {
		c[i] = rows[i].value;
	}
}

/* Returns whether the pose of a joint's body is to follow from given coordinates. */
static bool is_placed(const Placing *p, const AbutJoint *joint)
{
	return joint->placed && !p->closed;
}

/* Places the body at side `far` of a joint, whose other body is placed. */
static void cross_joint(Placing *p, const AbutJoint *joint, int far)
{
	const AbutModel *model = p->model;
	const Reached *near = &p->bodies[joint->body[1 - far]];
	Reached *own = &p->bodies[joint->body[far]], old[2];
	const AbutJointKind *kind = abut_joint_coordinates(joint);
	double c[ABUT_JOINT_FREEDOMS] = {0.0};
	read_pose(model, joint->body[0], &old[0]);
	read_pose(model, joint->body[1], &old[1]);
	*own = old[far];
	own->reached = true;
	own->moved = near->moved || is_placed(p, joint);
	own->driven = near->driven || joint->driven;
	const Motion frame[2] = {frame_of(model, joint, 0), frame_of(model, joint, 1)};
	const Motion undo = inverse(&frame[far]);
	if (is_placed(p, joint)) {
		memcpy(c, joint->position, sizeof c);
		const Motion F = compose(&near->now, &frame[1 - far]), M = motion_of(kind, c), back_M = inverse(&M),
		             F_far = compose(&F, far == 1 ? &M : &back_M);
		own->now = compose(&F_far, &undo);
	} else {
		const Motion was = inverse(&old[1 - far].now), relative = compose(&was, &old[far].now);
		own->now = near->moved ? compose(&near->now, &relative) : own->now;
		read_coordinates(model, joint, &old[0].now, &old[1].now, c);
	}
	step_back(model, joint->body[far], own);
	if (own->driven) {
		/* The near body's motion, then that of the coordinates, seen from the far frame. */
		const Motion M[2] = {motion_of(kind, c), motion_before(joint, c, model->timestep_si)};
		const Motion away = inverse(&near->now), carry = compose(&near->before, &away),
		             F = compose(&own->now, &frame[far]), moved = compose(&carry, &F),
		             M_1 = inverse(&M[far == 1 ? 0 : 1]),
		             turn = far == 1 ? compose(&M_1, &M[1]) : compose(&M[0], &M_1),
		             end = compose(&moved, &turn);
		own->before = compose(&end, &undo);
	}
}

/* --- the graph --- */

static AbutStatus allocate(Placing *p)
{
	const size_t n_bodies = (size_t)p->model->n_bodies + 2, n_ends = 2 * (size_t)p->model->joints.n;
	p->bodies = calloc(n_bodies, sizeof *p->bodies);
	p->first = calloc(n_bodies + 1, sizeof *p->first);
	p->edges = calloc(n_ends, sizeof *p->edges);
	p->queue[0] = calloc(n_ends, sizeof *p->queue[0]);
	p->queue[1] = calloc(n_ends, sizeof *p->queue[1]);
	return p->bodies && p->first && p->edges && p->queue[0] && p->queue[1] ? ABUT_OK : ABUT_ERROR_MEMORY;
}

/* Lists the joints of each body. */
static void list_edges(const Placing *p)
{
	const AbutJointList *joints = &p->model->joints;
	for (int i = 0; i < 2 * joints->n; i++) {
		p->first[joints->at[i / 2].body[i % 2] + 2]++;
	}
	for (int i = 2; i <= p->model->n_bodies + 2; i++) {
		p->first[i] += p->first[i - 1];
	}
	for (int i = 0; i < 2 * joints->n; i++) {
		p->edges[p->first[joints->at[i / 2].body[i % 2] + 1]++] = i / 2;
	}
}

static void reach(Placing *p, int body)
{
	p->bodies[body].reached = true;
	for (int i = p->first[body]; i < p->first[body + 1]; i++) {
		const AbutJoint *joint = &p->model->joints.at[p->edges[i]];
		const int k = joint->placed || joint->driven ? 0 : 1;
		p->queue[k][p->n[k]++] = p->edges[i];
	}
}

/* Places all bodies that are joined to those reached. */
static void spread(Placing *p)
{
	while (p->at[0] < p->n[0] || p->at[1] < p->n[1]) {
		const int k = p->at[0] < p->n[0] ? 0 : 1;
		const AbutJoint *joint = &p->model->joints.at[p->queue[k][p->at[k]++]];
		const int far = p->bodies[joint->body[0]].reached ? 1 : 0;
		if (!p->bodies[joint->body[far]].reached) {
			cross_joint(p, joint, far);
			reach(p, joint->body[far]);
		}
	}
}

static void reach_root(Placing *p, int body)
{
	if (!p->bodies[body].reached) {
		read_pose(p->model, body, &p->bodies[body]);
		reach(p, body);
	}
}

static void place_all(Placing *p)
{
	const AbutModel *model = p->model;
	list_edges(p);
	for (int i = 0; i <= model->n_bodies; i++) {
		if (i == model->n_bodies || model->bodies[i].is_static) {
			reach_root(p, i);
		}
	}
	spread(p);
	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < model->n_bodies; i++) {
			bool is_child = false;
			for (int k = p->first[i]; pass == 0 && k < p->first[i + 1]; k++) {
				is_child = is_child || model->joints.at[p->edges[k]].body[1] == i;
			}
			if (!is_child) {
				reach_root(p, i);
				spread(p);
			}
		}
	}
}

/* --- the result --- */

static void write_velocity(const AbutModel *model, const Reached *from, AbutBody *body)
{
	const double dt = model->timestep_si;
	double now[3], before[3], turn[9], q[4], w[3];
	abut_mat3_vec(from->now.R, body->centre_of_mass, now);
	abut_mat3_vec(from->before.R, body->centre_of_mass, before);
	for (int i = 0; i < 3; i++) {
		body->initial.linear_velocity[i] = (from->now.p[i] - from->before.p[i] + now[i] - before[i]) / dt;
	}
	abut_mat3_mul_transposed(from->now.R, from->before.R, turn);
	abut_mat3_to_quat(turn, q);
	abut_scale3((q[0] < 0.0 ? -2.0 : 2.0) / dt, &q[1], w);
	abut_mat3_tvec(from->now.R, w, body->initial.angular_velocity);
}

static AbutStatus write_body(AbutModel *model, const Reached *from, int index, AbutError *error)
{
	AbutBody *body = &model->bodies[index];
	if (from->moved) {
		abut_copy3(from->now.p, body->initial.position);
		abut_mat3_to_quat(from->now.R, body->initial.orientation);
		abut_quat_normalise(body->initial.orientation);
	}
	if (from->driven) {
		write_velocity(model, from, body);
	}
	const bool planar = !body->planar || abut_motion_planar(&body->initial);
	if (planar && abut_motion_possible(&body->initial, model->timestep_si)) {
		return ABUT_OK;
	}
	return abut_error_set(
	    error, ABUT_ERROR_ARGUMENT, from->moved ? "initial.joints" : "initial.joint_velocities",
	    "the initial coordinates of joints %s '%s'",
	    planar ? "place too far away, or make too fast, the body" : "move out of its plane the body", body->name);
}

static AbutStatus place(AbutModel *model, bool closed, AbutError *error)
{
	Placing p = {.model = model, .closed = closed};
	bool any = false;
	for (int i = 0; i < model->joints.n; i++) {
		any = any || is_placed(&p, &model->joints.at[i]) || model->joints.at[i].driven;
	}
	if (!any) {
		return ABUT_OK;
	}
	AbutStatus status = allocate(&p) == ABUT_OK ? ABUT_OK : abut_model_no_memory(error);
	if (status == ABUT_OK) {
		place_all(&p);
	}
	for (int i = 0; status == ABUT_OK && i < model->n_bodies; i++) {
		if (!model->bodies[i].is_static && (p.bodies[i].moved || p.bodies[i].driven)) {
			status = write_body(model, &p.bodies[i], i, error);
		}
	}
	free(p.bodies);
	free(p.first);
	free(p.edges);
	free(p.queue[0]);
	free(p.queue[1]);
	return status;
}

AbutStatus abut_joints_place(AbutModel *model, AbutError *error)
{
	ABUT_TRY(abut_couplings_spread(model, error));
	return place(model, false, error);
}

AbutStatus abut_joints_drive(AbutModel *model, AbutError *error)
{
	return model->joints.moved > 0.0 || model->joints.turned > 0.0 ? place(model, true, error) : ABUT_OK;
}
