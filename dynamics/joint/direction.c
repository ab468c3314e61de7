/* Computes the direction of a joint's impulses, and how it changes with the pose (direction.h). */
#include "dynamics/joint/direction.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

/* C of theta = max(0, 1/2 - C / a). Larger values dissipate less and let energy rise more often. */
static const double margin = 1.0;

/* Adds what a turn of a body changes of a joint's torque on it, sign (lever x f + tau): (dTheta x lever) x f + dTheta x
 * tau = (lever f' - (lever . f) I - [tau]x) dTheta. */
static void add_stiffness(const AbutJointWork *work, int s, const double force[3], const double torque[3])
{
	const double *r = work->lever[s], rf = abut_dot3(r, force), sign = s == 0 ? -1.0 : 1.0;
	double skew[9], *K = work->body[s]->stiffness;
	abut_skew3(torque, skew);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			K[3 * i + j] += sign * (r[i] * force[j] - (i == j ? rf : 0.0) - skew[3 * i + j]);
		}
	}
}

/* Computes the force and the torque of the held rows on the child. */
static void wrench_of(const AbutJointWork *work, double force[3], double torque[3])
{
	for (int i = 0; i < 3; i++) {
		force[i] = torque[i] = 0.0;
	}
	for (int i = 0; i < work->joint->n_held; i++) {
		abut_add_scaled3(force, work->impulse[i], work->rows[i].n, force);
		abut_add_scaled3(torque, work->impulse[i], work->rows[i].t, torque);
	}
}

/* Returns a = dt |J^-1/2 K J^-1/2| in the Frobenius norm: dt^2 times the square of the largest frequency, or more. A
 * bound of it, dt |K| / least inertia, is enough where it is small. */
static double load_of(const AbutBodyWork *body, double timestep)
{
	double sum = 0.0, square = 0.0, of[3][3], of_transposed[3][3];
	if (body->moving < 0) {
		return 0.0;
	}
	if (body->planar) { /* turns only about y */
		return timestep * fabs(body->stiffness[4]) / body->inertia[4];
	}
	for (int k = 0; k < 9; k++) {
		square += body->stiffness[k] * body->stiffness[k];
	}
	const double most = timestep * sqrt(square) / body->least_inertia;
	if (most <= 2.0 * margin) { /* theta is 0 */
		return most;
	}
	for (int j = 0; j < 3; j++) {
		const double column[3] = {body->stiffness[j], body->stiffness[3 + j], body->stiffness[6 + j]};
		abut_sym3_solve(body->inertia, column, of[j]);
		abut_sym3_solve(body->inertia, &body->stiffness[3 * j], of_transposed[j]);
	}
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			sum += of[j][i] * of_transposed[i][j];
		}
	}
	return timestep * sqrt(abut_max(sum, 0.0));
}

/* Sets the stiffness of the moving bodies of the joints. Static bodies belong to several islands, and have none. */
static void set_stiffness(const AbutJointWork *joints, int n)
{
	for (int i = 0; i < 2 * n; i++) {
		AbutBodyWork *body = joints[i / 2].body[i % 2];
		if (body->moving >= 0) {
			memset(body->stiffness, 0, sizeof body->stiffness);
		}
	}
	for (int i = 0; i < n; i++) {
		double force[3], torque[3];
		wrench_of(&joints[i], force, torque);
		for (int s = 0; s < 2; s++) {
			if (joints[i].body[s]->moving >= 0) {
				add_stiffness(&joints[i], s, force, torque);
			}
		}
	}
}

static double theta_of(const AbutJointWork *joint, double timestep)
{
	const double load = abut_max(load_of(joint->body[0], timestep), load_of(joint->body[1], timestep));
	return load > 2.0 * margin ? 0.5 - margin / load : 0.0;
}

void abut_joints_direct(AbutJointWork *joints, int n, double timestep)
{
	set_stiffness(joints, n);
	for (int i = 0; i < n; i++) {
		joints[i].theta = theta_of(&joints[i], timestep);
	}
}

void abut_joints_direct_back(AbutJointWork *joints, int n)
{
	for (int i = 0; i < n; i++) {
		joints[i].theta = joints[i].theta_before;
	}
}

bool abut_joints_redirect(AbutJointWork *joints, int n, double timestep)
{
	static const double clearly = 0.01;
	bool any = false;
	set_stiffness(joints, n);
	for (int i = 0; i < n; i++) {
		joints[i].theta_before = joints[i].theta;
		joints[i].theta = abut_max(joints[i].theta, theta_of(&joints[i], timestep));
		any = any || joints[i].theta > joints[i].theta_before + clearly;
	}
	if (!any) {
		abut_joints_direct_back(joints, n);
	}
	return any;
}

/* out = [v]x M for a row-major 3 x 3 M. */
static void cross_columns(const double v[3], const double M[9], double out[9])
{
	double skew[9];
	abut_skew3(v, skew);
	abut_mat3_mul(skew, M, out);
}

/* Motion of the joint by one side's dx or dTheta (columns): of d, of the levers, of the force and of the torque. */
typedef struct Motion {
	double d[9], lever[2][9], f[9], tau[9];
} Motion;

static void identity(double factor, double out[9])
{
	memset(out, 0, 9 * sizeof *out);
	out[0] = out[4] = out[8] = factor;
}

/* Computes the motion by dx (`turn` false) or dTheta of side `s`. */
static void motion_of(const AbutJointWork *work, const AbutJointCurvature *curvature, int s, bool turn, Motion *m)
{
	const bool turning = abut_joint_kind_turning(work->joint->kind);
	const double sign = s == 0 ? -1.0 : 1.0;
	double arm[3], swing[9];
	memset(m, 0, sizeof *m);
	abut_copy3(work->lever[s], arm);
	if (s == 0 && turning) {
		abut_sub3(arm, work->pose.d, arm);
	}
	identity(1.0, swing);
	if (turn) { /* dTheta x arm */
		abut_skew3(arm, swing);
		for (int i = 0; i < 9; i++) {
			swing[i] = -swing[i];
		}
	}
	for (int i = 0; i < 9; i++) {
		m->d[i] = sign * swing[i];
		m->lever[1][i] = s == 1 && turn ? swing[i] : 0.0;
		if (turning) { /* p_b - x_a */
			m->lever[0][i] = s == 1 ? swing[i] : turn ? 0.0 : -swing[i];
		} else {
			m->lever[0][i] = s == 0 && turn ? swing[i] : 0.0;
		}
	}
	abut_mat3_mul(curvature->f_d, m->d, m->f);
	for (int i = 0; turn && i < 9; i++) {
		m->f[i] += s == 0 ? curvature->f_a[i] : 0.0;
		m->tau[i] = s == 0 ? curvature->tau_a[i] : curvature->tau_b[i];
	}
}

/* Adds the change of both bodies' wrenches by the motion `m` of side `s`, whose columns follow from the velocity by
 * `map`: theta sign (df | d(lever x f) + dtau) map. */
static void add_wrenches(const AbutJointWork *work, const double force[3], const Motion *m, int s, int first,
                         const double map[9], double turn[4][36])
{
	for (int row = 0; row < 2; row++) {
		const double sign = work->theta * (row == 0 ? -1.0 : 1.0);
		double moved[9], turned[9], moment[9], by_force[9], by_moment[9];
		cross_columns(force, m->lever[row], moved);
		cross_columns(work->lever[row], m->f, turned);
		for (int i = 0; i < 9; i++) {
			moment[i] = turned[i] - moved[i] + m->tau[i];
		}
		abut_mat3_mul(m->f, map, by_force);
		abut_mat3_mul(moment, map, by_moment);
		for (int i = 0; i < 3; i++) {
			for (int j = 0; j < 3; j++) {
				turn[2 * row + s][6 * i + first + j] += sign * by_force[3 * i + j];
				turn[2 * row + s][6 * (3 + i) + first + j] += sign * by_moment[3 * i + j];
			}
		}
	}
}

static void clear_across(double block[36])
{
	for (int i = 1; i < 6; i += 2) {
		memset(&block[6 * i], 0, 6 * sizeof *block);
	}
}

void abut_joint_turn_of_rows(const AbutJointWork *work, double timestep, double turn[4][36])
{
	const AbutJoint *joint = work->joint;
	const int n_held = joint->n_held, n = abut_joint_rows(joint);
	AbutJointCurvature curvature;
	double force[3] = {0.0, 0.0, 0.0}, step[9];
	abut_joint_curvature(joint->kind, &work->pose, work->impulse, &work->impulse[n_held], &curvature);
	for (int i = 0; i < n; i++) {
		abut_add_scaled3(force, work->impulse[i], work->rows[i].n, force);
	}
	memset(turn, 0, 4 * sizeof *turn);
	identity(timestep, step);
	for (int s = 0; s < 2; s++) {
		Motion m;
		if (work->body[s]->moving < 0) {
			continue;
		}
		motion_of(work, &curvature, s, false, &m);
		add_wrenches(work, force, &m, s, 0, step, turn);
		motion_of(work, &curvature, s, true, &m);
		add_wrenches(work, force, &m, s, 3, work->body[s]->G, turn);
	}
	for (int row = 0; row < 2; row++) {
		for (int column = 0; work->body[row]->planar && column < 2; column++) {
			clear_across(turn[2 * row + column]);
		}
	}
}
