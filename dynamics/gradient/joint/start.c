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
#include "dynamics/joint/before.h"
#include "dynamics/joint/evaluate.h"

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

void abut_joint_start_rate(const AbutJointStart *start, int i, AbutJointRate *out)
{
	const double h = start->work.axis[i].from.last_timestep;
	const int row = start->work.joint->n_held + i;
	AbutJointBefore before;
	AbutJointColumns at_end;
	abut_joint_place_before(&start->work, h, &before);
	memcpy(at_end, start->work.start[row], sizeof at_end);
	if (start->work.joint->kind->freedom[i].spins) {
		last_spin(start, &before.work, i, before.E[0], at_end, before.rows[row]);
	}
	for (int s = 0; s < 2; s++) {
		const double *now = &at_end[abut_joint_column[s]], *then = &before.rows[row][abut_joint_column[s]];
		double turned[3], *of_pose = out->by_pose[s], *of_velocity = out->by_velocity[s];
		abut_mat3_vec(before.E[s], &then[3], turned);
		abut_mat3_tvec(before.G[s], turned, &of_velocity[3]);
		for (int k = 0; k < 3; k++) {
			of_pose[k] = (now[k] - then[k]) / h;
			of_pose[3 + k] = (now[3 + k] - turned[k]) / h;
			of_velocity[k] = then[k];
			of_velocity[3 + k] /= h;
		}
	}
	turn_velocities(start, out);
}
