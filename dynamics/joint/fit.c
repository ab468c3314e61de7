/* Fits frames of joints to the assembled poses. A loop of hinges with parallel axes holds some freedoms more than once.
 * It closes, and moves, only if its axes are parallel to the last digit. Axes of a file are parallel to some 9 digits
 * only, and then no motion closes the loop. So axes that are nearly parallel to that of a joint that misses become
 * parallel, and slides that are nearly orthogonal to it become orthogonal. The child's frame then takes up the rest:
 * the rows of a joint have orthonormal derivatives n and t by its place and turn, so - sum k n moves it back, and the
 * turn - sum k t turns it back to first order. Tested in tests/dynamics/joint/test_fit.c. */
#include "dynamics/joint/fit.h"

#include <math.h>

#include "base/vec3.h"
#include "dynamics/joint/evaluate.h"

/* Axes whose angle differs by less from 0 or from 90 degrees are parallel or orthogonal, rad. */
static const double alike = 1e-5;

static bool keeps_z(const AbutJointKind *kind)
{
	return kind->n_rotations == 2;
}

static void z_of(const double F[9], double z[3])
{
	for (int i = 0; i < 3; i++) {
		z[i] = F[3 * i + 2];
	}
}

/* Turns the joint's frame F on a side by a small rotation vector in the world. */
static void turn_frame(AbutModel *model, const AbutJointWork *work, int side, double F[9], const double turn[3])
{
	AbutJoint *joint = &model->joints.at[work->joint - model->joints.at];
	double q[4] = {1.0}, R[9], turned[9];
	abut_scale3(0.5, turn, &q[1]);
	abut_quat_normalise(q);
	abut_quat_to_mat3(q, R);
	abut_mat3_mul(R, F, turned);
	abut_mat3_orthonormalise(turned, F);
	for (int column = 0; column < 3; column++) { /* to body axes */
		const double axis[3] = {F[column], F[3 + column], F[6 + column]};
		double own[3];
		abut_mat3_tvec(work->body[side]->R, axis, own);
		for (int i = 0; i < 3; i++) {
			joint->axes[side][3 * i + column] = own[i];
		}
	}
}

/* Makes the axis of a frame parallel to `direction`, or that of a slide orthogonal to it. */
static void align(AbutModel *model, AbutJointWork *work, int side, const double direction[3])
{
	double *F = side == 0 ? work->pose.A : work->pose.B, z[3], turn[3];
	z_of(F, z);
	abut_cross3(z, direction, turn);
	const double along = abut_dot3(z, direction);
	if (keeps_z(work->joint->kind) && abut_norm3(turn) <= alike) {
		abut_scale3(along < 0.0 ? -1.0 : 1.0, turn, turn);
		turn_frame(model, work, side, F, turn);
	} else if (work->joint->type == ABUT_JOINT_SLIDE && fabs(along) <= alike) {
		abut_scale3(-along, turn, turn);
		turn_frame(model, work, side, F, turn);
	}
}

static bool misses(const AbutJointWork *work, const double missing[2])
{
	const int places = abut_joint_kind_places(work->joint->kind);
	for (int i = 0; i < work->joint->n_held; i++) {
		if (fabs(work->rows[i].value) > missing[i < places ? 0 : 1]) {
			return true;
		}
	}
	return false;
}

/* Returns whether an axis is one of n directions, or opposite to one. */
static bool is_known(const double z[3], int n, const double (*direction)[3])
{
	for (int i = 0; i < n; i++) {
		double cross[3];
		abut_cross3(z, direction[i], cross);
		if (abut_norm3(cross) <= alike) {
			return true;
		}
	}
	return false;
}

/* Moves and turns the child's frame so that the joint is closed. */
static void close_frame(AbutModel *model, AbutJointWork *work)
{
	AbutJoint *joint = &model->joints.at[work->joint - model->joints.at];
	AbutJointColumns columns[ABUT_JOINT_ROWS];
	const int places = abut_joint_kind_places(joint->kind);
	double shift[3] = {0.0, 0.0, 0.0}, own[3];
	for (int round = 0; round < 3; round++) { /* of second order: 1e-6, 1e-12, rounding */
		double turn[3] = {0.0, 0.0, 0.0};
		for (int i = places; i < joint->n_held; i++) {
			abut_add_scaled3(turn, -work->rows[i].value, work->rows[i].t, turn);
		}
		turn_frame(model, work, 1, work->pose.B, turn);
		abut_joint_place(work, 0.0, columns);
	}
	for (int i = 0; i < places; i++) {
		abut_add_scaled3(shift, -work->rows[i].value, work->rows[i].n, shift);
	}
	abut_mat3_tvec(work->body[1]->R, shift, own);
	abut_add3(joint->place[1], own, joint->place[1]);
}

void abut_joints_fit(AbutModel *model, AbutJointWork *joints, const double missing[2])
{
	enum { DIRECTIONS = 16 };
	double direction[DIRECTIONS][3];
	int n = 0;
	for (int i = 0; i < model->joints.n && n < DIRECTIONS; i++) {
		z_of(joints[i].pose.A, direction[n]);
		if (keeps_z(joints[i].joint->kind) && misses(&joints[i], missing) &&
		    !is_known(direction[n], n, (const double(*)[3])direction)) {
			n++;
		}
	}
	for (int i = 0; i < 2 * model->joints.n; i++) {
		for (int k = 0; k < n; k++) {
			align(model, &joints[i / 2], i % 2, direction[k]);
		}
	}
	for (int i = 0; i < model->joints.n; i++) {
		AbutJointColumns columns[ABUT_JOINT_ROWS];
		abut_joint_place(&joints[i], 0.0, columns);
		close_frame(model, &joints[i]);
	}
}
