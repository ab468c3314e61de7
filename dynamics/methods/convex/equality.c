/* Makes soft rows of joints that springs hold. */
#include "dynamics/methods/convex/equality.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/joint/keep.h"
#include "dynamics/step/workspace.h"

enum { PLACES = 3 };

int abut_convex_equality_rows(const AbutModel *model, int n_joints)
{
	return ABUT_EQUALITY_ROWS * (n_joints < model->joints.n_yielding ? n_joints : model->joints.n_yielding);
}

/* Computes the quaternion, with a positive real part, of the turn from A to B, in axes of A. */
static void turn_between(const double A[9], const double B[9], double Q[4])
{
	double turn[9];
	abut_mat3_transposed_mul(A, B, turn);
	abut_mat3_to_quat(turn, Q);
	for (int k = 3; k >= 0; k--) {
		Q[k] = Q[0] < 0.0 ? -Q[k] : Q[k];
	}
}

static void frame_axes(const AbutJointWork *joint, int side, double out[9])
{
	const AbutBodyWork *body = joint->body[side];
	abut_mat3_mul(body->moving >= 0 ? body->R0 : body->R, joint->joint->axes[side], out);
}

/* Writes the row of a force along n at the anchors and a torque t, for both bodies. */
static void write_row(const AbutJointWork *joint, const double n[3], const double t[3], AbutJointColumns out)
{
	memset(out, 0, sizeof(AbutJointColumns));
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = joint->body[s];
		double *own = &out[abut_joint_column[s]], moment[3];
		const double sign = s == 0 ? -1.0 : 1.0;
		abut_cross3(joint->start_arm[s], n, moment);
		for (int k = 0; body->moving >= 0 && k < 3; k++) {
			own[k] = body->planar && k == 1 ? 0.0 : sign * n[k];
			own[3 + k] = body->planar && k != 1 ? 0.0 : sign * (moment[k] + t[k]);
		}
	}
}

/* The vector part e of Q = conj(q_a) q_b changes by de = (Q_0 w + w x e) / 2, with w = A' (w_b - w_a). */
static void set_turns(AbutConvexEquality *equality)
{
	static const double none[3] = {0.0, 0.0, 0.0};
	double A[9], B[9], Q[4];
	frame_axes(equality->joint, 0, A);
	frame_axes(equality->joint, 1, B);
	turn_between(A, B, Q);
	for (int k = 0; k < 3; k++) {
		double e[3] = {0.0, 0.0, 0.0}, by[3], t[3];
		e[k] = 1.0;
		abut_cross3(&Q[1], e, by);
		abut_add_scaled3(by, Q[0], e, by);
		abut_scale3(0.5, by, by);
		abut_mat3_vec(A, by, t);
		equality->value[PLACES + k] = Q[1 + k];
		write_row(equality->joint, none, t, equality->row[PLACES + k]);
	}
}

static void find(AbutJointWork *joint, AbutConvexEquality *equality)
{
	static const double none[3] = {0.0, 0.0, 0.0};
	const bool welds = joint->joint->type == ABUT_JOINT_FIXED;
	equality->joint = joint;
	equality->n = welds ? ABUT_EQUALITY_ROWS : PLACES;
	for (int k = 0; k < PLACES; k++) {
		double n[3] = {0.0, 0.0, 0.0};
		n[k] = 1.0;
		equality->value[k] = joint->d0[k] + joint->start_arm[1][k] - joint->start_arm[0][k];
		write_row(joint, n, none, equality->row[k]);
	}
	if (welds) {
		set_turns(equality);
	}
}

static void append_rows(AbutLcpIsland *island, const AbutConvexEquality *equality)
{
	const AbutJointWork *joint = equality->joint;
	for (int i = 0; i < equality->n; i++) {
		AbutLcpRow *row = &island->room->rows[island->n_rows++];
		*row = (AbutLcpRow){.body = {joint->body[0]->moving, joint->body[1]->moving}};
		for (int k = 0; k < 12; k++) {
			row->J[k] = equality->row[i][abut_joint_column[k / 6] + k % 6];
		}
	}
}

void abut_convex_find_equalities(const AbutLcpIsland *island)
{
	AbutConvexRoom *room = abut_convex_room(island->room);
	room->n_equalities = 0;
	for (int i = 0; island->model->joints.n_yielding > 0 && i < island->jointed->problem.n_joints; i++) {
		AbutJointWork *joint = &island->jointed->problem.joints[i];
		if (joint->joint->soft.yields) {
			find(joint, &room->equalities[room->n_equalities++]);
		}
	}
}

void abut_convex_add_equality_rows(AbutLcpIsland *island)
{
	const AbutConvexRoom *room = abut_convex_room(island->room);
	for (int i = 0; i < room->n_equalities; i++) {
		append_rows(island, &room->equalities[i]);
	}
}

/* Returns the sum of the mobilities of both bodies. */
static double softness_of(const AbutModel *model, const AbutJointWork *joint, bool turns)
{
	double sum = 0.0;
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = joint->body[s];
		sum += body->moving >= 0 ? model->bodies[body->body].mobility[turns ? 1 : 0] : 0.0;
	}
	return sum;
}

static void add_point(AbutLcpIsland *island, AbutSoftProblem *problem, const AbutConvexEquality *equality)
{
	const AbutModel *model = island->model;
	const AbutSoftness *soft = &equality->joint->joint->soft.equality;
	AbutConvexRoom *room = abut_convex_room(island->room);
	AbutSoftPoint *point = &room->points[problem->n_points++];
	const AbutSoftParameters parameters = abut_convex_parameters(model, soft);
	const AbutLcpRow *rows = &island->room->rows[island->n_rows];
	double b, k, slope, size = 0.0;
	append_rows(island, equality);
	for (int i = 0; i < equality->n; i++) {
		const double value = equality->value[i] * (i < PLACES ? model->units.length : 1.0);
		size += value * value;
	}
	const double d = abut_soft_impedance(soft->solimp, sqrt(size), &slope);
	abut_soft_spring(&parameters, model->timestep, &b, &k);
	*point = (AbutSoftPoint){
	    .held = true, .first_row = problem->n_rows, .n_rows = equality->n, .body = {rows->body[0], rows->body[1]}};
	for (int i = 0; i < equality->n; i++) {
		AbutSoftRow *row = &room->rows[problem->n_rows++];
		const double velocity = abut_convex_velocity_before(island, rows[i].body, rows[i].J);
		memcpy(row->J, rows[i].J, sizeof row->J);
		row->reference = -b * velocity - k * d * equality->value[i];
		row->weight = d / ((1.0 - d) * softness_of(model, equality->joint, i >= PLACES));
	}
}

void abut_convex_add_equalities(AbutLcpIsland *island, AbutSoftProblem *problem)
{
	const AbutConvexRoom *room = abut_convex_room(island->room);
	for (int i = 0; i < room->n_equalities; i++) {
		add_point(island, problem, &room->equalities[i]);
	}
}

/* Adds an impulse to what acts on the child, about its anchor. */
static void add_reaction(const AbutJointWork *joint, const double *row, double impulse, AbutJointDone *done)
{
	const int side = joint->body[1]->moving >= 0 ? 1 : 0;
	const double by = side == 1 ? impulse : -impulse, *g = &row[abut_joint_column[side]];
	double about[3];
	abut_cross3(joint->start_arm[side], g, about);
	abut_add_scaled3(done->force, by, g, done->force);
	abut_add_scaled3(done->torque, by, &g[3], done->torque);
	abut_add_scaled3(done->torque, -by, about, done->torque);
}

static int keep(const AbutLcpIsland *island, const AbutConvexEquality *equality, int row)
{
	const AbutJointWork *joint = equality->joint;
	const AbutWorkspace *w = island->w;
	AbutJointDone *done = &joint->last->done;
	for (int i = 0; i < equality->n; i++) {
		const double x = island->room->boxed.x[row++];
		add_reaction(joint, equality->row[i], x, done);
		if (w->loads) {
			abut_joint_add_row_load(joint, equality->row[i], x, &w->loads[6 * (joint->last - w->joints)]);
		}
	}
	return row;
}

void abut_convex_keep_equalities(const AbutLcpIsland *island, int row)
{
	const AbutConvexRoom *room = abut_convex_room(island->room);
	for (int i = 0; i < room->n_equalities; i++) {
		row = keep(island, &room->equalities[i], row);
	}
}
