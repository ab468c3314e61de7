/* Differentiates the start of a joint's step (dynamics/gradient/joint/start.h). With h the length of the step before,
 * E(w) the rotation by the quaternion (c, h w / 2) and G its derivative (dynamics/body/balance.c), small turns at its
 * beginning follow from R0 = E R-:
 *
 *     theta- = E' (theta - G dw),     dx- = dx - h dv,     h dr = row0 dz0 - row- dz-.
 *
 * Tested in tests/dynamics/joint/test_joint_gradient.c. */
#include "dynamics/gradient/joint/start.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/balance.h"
#include "dynamics/joint/evaluate.h"
#include "dynamics/joint/turn.h"

/* Makes `out` a copy of the joint with bodies of its own. */
static void copy(const AbutJointWork *work, AbutBodyWork body[2], AbutJointWork *out)
{
	*out = *work;
	for (int s = 0; s < 2; s++) {
		body[s] = *work->body[s];
		out->body[s] = &body[s];
	}
}

void abut_joint_start_place(const AbutJointWork *work, AbutJointStart *out)
{
	copy(work, out->body, &out->work);
	for (int s = 0; s < 2; s++) {
		abut_mat3_mul_transposed(work->body[s]->R, work->body[s]->R0, out->to_end[s]);
		memcpy(out->body[s].R, out->body[s].R0, sizeof out->body[s].R);
	}
	out->work.pose.from = NULL; /* the rows of spins are the axes of b */
	memset(out->work.shift, 0, sizeof out->work.shift);
	abut_joint_place(&out->work, 0.0, out->work.start);
}

/* Adds the turn of w0 with the body, dw = theta x w0, to the part of the pose. */
static void turn_velocities(const AbutJointStart *start, AbutJointRate *out)
{
	for (int s = 0; s < 2; s++) {
		double turned[3];
		abut_cross3(start->body[s].w0, &out->by_velocity[s][3], turned);
		abut_add3(&out->by_pose[s][3], turned, &out->by_pose[s][3]);
	}
}

/* Differentiates row0 (v0, w0). */
static void by_velocities(const AbutJointStart *start, int i, AbutJointRate *out)
{
	AbutJointWork work = start->work;
	const int row = work.joint->n_held + i;
	double turn[4][36];
	memset(work.impulse, 0, sizeof work.impulse);
	work.impulse[row] = 1.0;
	abut_joint_turn_by_poses(&work, work.impulse, turn);
	for (int s = 0; s < 2; s++) {
		memcpy(out->by_velocity[s], &work.start[row][abut_joint_column[s]], sizeof out->by_velocity[s]);
		for (int k = 0; k < 72; k++) {
			const AbutBodyWork *body = &start->body[k / 36];
			const int of = k % 36 / 6;
			const double rate = body->moving < 0 ? 0.0 : of < 3 ? body->v0[of] : body->w0[of - 3];
			out->by_pose[s][k % 6] += turn[2 * (k / 36) + s][k % 36] * rate;
		}
	}
}

/* Differentiates (c(z0) - c(z-)) / h. */
static void by_difference(const AbutJointStart *start, int i, AbutJointRate *out)
{
	const double h = start->work.axis[i].from.last_timestep;
	const int row = start->work.joint->n_held + i;
	AbutBodyWork body[2];
	AbutJointWork work;
	AbutJointColumns before[ABUT_JOINT_ROWS];
	double E[2][9], G[2][9];
	copy(&start->work, body, &work);
	for (int s = 0; s < 2; s++) {
		static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
		const double *v = body[s].v0, *w = body[s].w0, y[6] = {v[0], v[1], v[2], w[0], w[1], w[2]};
		memcpy(body[s].R0, identity, sizeof identity);
		body[s].moved_by = 0.0;
		abut_body_move(&body[s], h, y);
		memcpy(E[s], body[s].R, sizeof E[s]);
		memcpy(G[s], body[s].G, sizeof G[s]);
		abut_mat3_transposed_mul(E[s], start->body[s].R0, body[s].R);
	}
	abut_joint_place(&work, -h, before);
	for (int s = 0; s < 2; s++) {
		const double *now = &start->work.start[row][abut_joint_column[s]],
		             *then = &before[row][abut_joint_column[s]];
		double turned[3], *of_pose = out->by_pose[s], *of_velocity = out->by_velocity[s];
		abut_mat3_vec(E[s], &then[3], turned);
		abut_mat3_tvec(G[s], turned, &of_velocity[3]);
		for (int k = 0; k < 3; k++) {
			of_pose[k] = (now[k] - then[k]) / h;
			of_pose[3 + k] = (now[3 + k] - turned[k]) / h;
			of_velocity[k] = then[k];
			of_velocity[3 + k] /= h;
		}
	}
}

void abut_joint_start_rate(const AbutJointStart *start, int i, AbutJointRate *out)
{
	const AbutAxisStart *from = &start->work.axis[i].from;
	memset(out, 0, sizeof *out);
	if (from->known) {
		by_difference(start, i, out);
	} else {
		by_velocities(start, i, out);
	}
	turn_velocities(start, out);
}
