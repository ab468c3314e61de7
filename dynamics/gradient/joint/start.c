/* Differentiates the start of a joint's step (dynamics/gradient/joint/start.h). With h the length of the step before,
 * E(w) the rotation by the quaternion (c, h w / 2) and G its derivative (dynamics/body/balance.c), small turns at its
 * beginning follow from R0 = E R-:
 *
 *     theta- = E' (theta - G dw),     dx- = dx - h dv,     h dr = row0 dz0 - row- dz-.
 *
 * The spins of a ball measure a turn from where the child's frame was in the parent's at the start of the step. With
 * their rows t at its end, and the turn E_a of the parent in the step,
 *
 *     ds = t . (dTheta_b+ - dTheta_a+) - spun0 . (dTheta_b0 - dTheta_a0),     spun0 = E_a' t.
 *
 * The rotation vector phi from a to b changes by dphi = J^-1 (B' (dTheta_b - dTheta_a)), with the right Jacobian J of
 * rotations (base/rotation.h); its rows are phi0.
 *
 * Tested in tests/dynamics/joint/test_joint_gradient.c. */
#include "dynamics/gradient/joint/start.h"

#include <string.h>

#include "base/rotation.h"
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

/* Writes a torque on the child, and the opposite on the parent, in the columns of both bodies. */
static void write_torque(const AbutJointWork *work, const double torque[3], AbutJointColumns columns)
{
	memset(columns, 0, sizeof(AbutJointColumns));
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = work->body[s];
		for (int k = 0; body->moving >= 0 && k < 3; k++) {
			const bool across = body->planar && k != 1;
			columns[abut_joint_column[s] + 3 + k] = across ? 0.0 : s == 0 ? -torque[k] : torque[k];
		}
	}
}

/* Sets phi0 of a ball that is placed at the start. */
static void set_phi(AbutJointStart *start)
{
	const AbutJointWork *work = &start->work;
	double phi[3], J[9];
	for (int i = 0; i < 3; i++) {
		phi[i] = work->rows[work->joint->n_held + i].value;
	}
	abut_rotation_jacobian_inverse(phi, J);
	for (int i = 0; i < 3; i++) {
		double world[3];
		abut_mat3_vec(work->pose.B, &J[3 * i], world);
		write_torque(work, world, start->phi[i]);
	}
}

/* Sets spun0 of a ball; `work` is at the end of the step. */
static void set_spun(const AbutJointWork *work, AbutJointStart *start)
{
	for (int i = 0; i < 3; i++) {
		double back[3];
		abut_mat3_tvec(start->to_end[0], work->rows[work->joint->n_held + i].t, back);
		write_torque(work, back, start->spun[i]);
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
	if (work->joint->kind->freedom[0].spins) {
		set_phi(out);
		set_spun(work, out);
	}
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

/* Sets the rows of spin `i` of the last step, from its start with the joint at `before`, to now: by the poses at its
 * end and at its start. E is the parent's turn in that step. */
static void last_spin(const AbutJointStart *start, const AbutJointWork *before, int i, const double E[9],
                      AbutJointColumns now, AbutJointColumns then)
{
	AbutJointPose pose = start->work.pose;
	AbutJointRow rows[ABUT_JOINT_ROWS];
	double from[9], back[3];
	abut_mat3_transposed_mul(before->pose.A, before->pose.B, from);
	pose.from = from;
	abut_joint_free_rows(start->work.joint->kind, &pose, rows);
	abut_mat3_tvec(E, rows[i].t, back);
	write_torque(&start->work, rows[i].t, now);
	write_torque(&start->work, back, then);
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
	AbutJointColumns at_end;
	memcpy(at_end, start->work.start[row], sizeof at_end);
	if (work.joint->kind->freedom[i].spins) {
		last_spin(start, &work, i, E[0], at_end, before[row]);
	}
	for (int s = 0; s < 2; s++) {
		const double *now = &at_end[abut_joint_column[s]], *then = &before[row][abut_joint_column[s]];
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
