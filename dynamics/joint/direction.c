/* Computes the direction of a joint's impulses (direction.h). */
#include "dynamics/joint/direction.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/vec3.h"

/* C of theta = max(0, 1/2 - C / a). Larger values dissipate less and let energy rise more often. */
static const double margin = 1.0;

ALWAYS_INLINE void add_stiffness(const double r[3], const double force[3], const double torque[3], int s, double K[9])
{
	const double rf = abut_dot3(r, force), sign = s == 0 ? -1.0 : 1.0;
	double skew[9];
	abut_skew3(torque, skew);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			K[3 * i + j] += sign * (r[i] * force[j] - (i == j ? rf : 0.0) - skew[3 * i + j]);
		}
	}
}

ALWAYS_INLINE void wrench_of(const AbutJointWork *work, double force[3], double torque[3])
{
	for (int i = 0; i < 3; i++) {
		force[i] = torque[i] = 0.0;
	}
	for (int i = 0; i < work->joint->n_held; i++) {
		abut_add_scaled3(force, work->impulse[i], work->rows[i].n, force);
		abut_add_scaled3(torque, work->impulse[i], work->rows[i].t, torque);
	}
	for (int i = 0; i < work->joint->kind->n_freedoms; i++) {
		const double geared = work->axis[i].geared;
		if (geared != 0.0) {
			abut_add_scaled3(force, geared, work->rows[work->joint->n_held + i].n, force);
			abut_add_scaled3(torque, geared, work->rows[work->joint->n_held + i].t, torque);
		}
	}
}

ALWAYS_INLINE double load_of(const AbutBodyWork *body, const double K[9], double timestep)
{
	double sum = 0.0, square = 0.0, of[3][3], of_transposed[3][3];
	if (body->planar) { /* turns only about y */
		return timestep * fabs(K[4]) / body->inertia[4];
	}
	for (int k = 0; k < 9; k++) {
		square += K[k] * K[k];
	}
	const double most = timestep * sqrt(square) / body->least_inertia;
	if (most <= 2.0 * margin) { /* theta is 0 */
		return most;
	}
	for (int j = 0; j < 3; j++) {
		const double column[3] = {K[j], K[3 + j], K[6 + j]};
		abut_sym3_solve(body->inertia, column, of[j]);
		abut_sym3_solve(body->inertia, &K[3 * j], of_transposed[j]);
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
			body->stiffness = (AbutTurnStiffness){.load = -1.0};
		}
	}
	for (int i = 0; i < n; i++) {
		double force[3], torque[3];
		wrench_of(&joints[i], force, torque);
		for (int s = 0; s < 2; s++) {
			if (joints[i].body[s]->moving >= 0) {
				add_stiffness(joints[i].lever[s], force, torque, s, joints[i].body[s]->stiffness.K);
			}
		}
	}
}

ALWAYS_INLINE double theta_by(double load)
{
	return load > 2.0 * margin ? 0.5 - margin / load : 0.0;
}

double abut_joint_theta_slope(double load)
{
	return margin / (load * load);
}

bool abut_joint_theta_kinks(const double load[2])
{
	static const double same = 1e-9;
	const double most = abut_max(load[0], load[1]), at = 2.0 * margin;
	return fabs(most - at) <= same * at || (most > at && fabs(load[0] - load[1]) <= same * most);
}

/* Returns theta of a joint between bodies with a known stiffness; computes the load of each body once. */
static double theta_of(const AbutJointWork *joint, double timestep, double load[2])
{
	for (int s = 0; s < 2; s++) {
		AbutBodyWork *body = joint->body[s];
		load[s] = 0.0;
		if (body->moving >= 0) {
			body->stiffness.load = body->stiffness.load < 0.0 ? load_of(body, body->stiffness.K, timestep)
			                                                  : body->stiffness.load;
			load[s] = body->stiffness.load;
		}
	}
	return theta_by(abut_max(load[0], load[1]));
}

/* Returns the lean per time that is expected in a step, of the child's axis in the parent's frame, or of the parent's
 * in that of a static child: with the momenta without joint, and with the impulse that keeps the anchors together if
 * they may move by a typical mass. */
static double expected_lean(const AbutJointWork *work)
{
	const double *axes = work->body[1]->moving >= 0 ? work->pose.B : work->pose.A;
	const double z[3] = {axes[2], axes[5], axes[8]}, mass = abut_joint_delta / work->regular[0];
	double free[2][3], apart[3] = {0.0, 0.0, 0.0}, turn[3] = {0.0, 0.0, 0.0}, across[3];
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = work->body[s];
		if (body->moving >= 0) {
			double swing[3];
			abut_sym3_solve(body->inertia, &body->full_momentum[3], free[s]);
			abut_cross3(free[s], work->start_arm[s], swing);
			abut_add_scaled3(swing, 1.0 / body->mass, body->full_momentum, swing);
			abut_add_scaled3(apart, s == 0 ? -1.0 : 1.0, swing, apart);
		}
	}
	for (int s = 0; s < 2; s++) {
		if (work->body[s]->moving >= 0) {
			double moment[3], change[3];
			abut_cross3(apart, work->start_arm[s], moment);
			abut_sym3_solve(work->body[s]->inertia, moment, change);
			abut_add_scaled3(turn, s == 0 ? -1.0 : 1.0, free[s], turn);
			abut_add_scaled3(turn, mass, change, turn);
		}
	}
	abut_cross3(z, turn, across);
	return abut_norm3(across);
}

void abut_joint_direct_bounds(AbutJointWork *work, double timestep)
{
	const double share = timestep * expected_lean(work) / work->joint->acting[0].lower;
	work->ball.theta = abut_max(0.0, abut_min(4.0 * share - 1.0, 1.0));
}

void abut_joints_direct(AbutJointWork *joints, int n, double timestep)
{
	set_stiffness(joints, n);
	for (int i = 0; i < n; i++) {
		joints[i].theta = theta_of(&joints[i], timestep, joints[i].load.body);
	}
}

void abut_joints_direct_back(AbutJointWork *joints, int n)
{
	for (int i = 0; i < n; i++) {
		joints[i].theta = joints[i].load.theta_before;
	}
}

bool abut_joints_redirect(AbutJointWork *joints, int n, double timestep)
{
	static const double clearly = 0.01;
	bool any = false;
	set_stiffness(joints, n);
	for (int i = 0; i < n; i++) {
		double load[2];
		joints[i].load.theta_before = joints[i].theta;
		joints[i].theta = abut_max(joints[i].theta, theta_of(&joints[i], timestep, load));
		any = any || joints[i].theta > joints[i].load.theta_before + clearly;
	}
	if (!any) {
		abut_joints_direct_back(joints, n);
	}
	return any;
}

/* --- for derivatives; a step calls the functions above without them, which are inlined --- */

void abut_joint_add_stiffness(const double lever[3], const double force[3], const double torque[3], int s, double K[9])
{
	add_stiffness(lever, force, torque, s, K);
}

void abut_joint_wrench(const AbutJointWork *work, double force[3], double torque[3])
{
	wrench_of(work, force, torque);
}

double abut_joint_load(const AbutBodyWork *body, const double K[9], double timestep)
{
	return load_of(body, K, timestep);
}

double abut_joint_theta(double load)
{
	return theta_by(load);
}
