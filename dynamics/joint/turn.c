/* Computes how the impulses of a joint on its bodies change with the bodies' poses (turn.h). */
#include "dynamics/joint/turn.h"

#include <string.h>

#include "base/vec3.h"

/* out = [v]x M for a row-major 3 x 3 M. */
static void cross_columns(const double v[3], const double M[9], double out[9])
{
	double skew[9];
	abut_skew3(v, skew);
	abut_mat3_mul(skew, M, out);
}

static void identity(double factor, double out[9])
{
	memset(out, 0, 9 * sizeof *out);
	out[0] = out[4] = out[8] = factor;
}

static void motion_of(const AbutJointWork *work, const AbutJointCurvature *curvature, int s, bool turn,
                      AbutJointMotion *m)
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

void abut_joint_moved_by(const AbutJointWork *work, const double *impulse, int s, bool turn, AbutJointMotion *out)
{
	AbutJointCurvature curvature;
	abut_joint_curvature(work->joint->kind, &work->pose, impulse, &impulse[work->joint->n_held], &curvature);
	motion_of(work, &curvature, s, turn, out);
}

/* Writes the change of both bodies' wrenches by the motion `m` of side `s`, sign (df | d(lever x f) + dtau), to the
 * columns from `first` on. */
static void write_wrenches(const AbutJointWork *work, const double force[3], const AbutJointMotion *m, int s, int first,
                           double turn[4][36])
{
	for (int row = 0; row < 2; row++) {
		const double sign = row == 0 ? -1.0 : 1.0;
		double moved[9], turned[9], arm[3], *block = turn[2 * row + s];
		abut_add3(work->lever[row], work->shift[row], arm);
		cross_columns(force, m->lever[row], moved);
		cross_columns(arm, m->f, turned);
		for (int i = 0; i < 9; i++) {
			const int at = 6 * (i / 3) + first + i % 3;
			block[at] = sign * m->f[i];
			block[18 + at] = sign * (turned[i] - moved[i] + m->tau[i]);
		}
	}
}

static void clear_across(double block[36])
{
	for (int i = 1; i < 6; i += 2) {
		memset(&block[6 * i], 0, 6 * sizeof *block);
	}
}

/* Computes the force of all rows on the child. */
static void force_of(const AbutJointWork *work, const double *impulse, double force[3])
{
	force[0] = force[1] = force[2] = 0.0;
	for (int i = 0; i < abut_joint_rows(work->joint); i++) {
		abut_add_scaled3(force, impulse[i], work->rows[i].n, force);
	}
}

/* Returns whether the force of the joint is constant and acts at fixed points of the bodies. */
static bool has_fixed_points(const AbutJointWork *work)
{
	return work->joint->kind->n_translations == 3;
}

/* Computes the change for a joint whose force is constant and acts at fixed points of the bodies. Only moments change,
 * by turns: own levers by (dTheta x lever) x f = (lever f' - (lever . f) I) dTheta, and the torque. */
static void turn_about_points(const AbutJointWork *work, const AbutJointCurvature *curvature, const double force[3],
                              double turn[4][36])
{
	for (int block = 0; block < 4; block++) {
		const int row = block / 2, s = block % 2;
		const double *tau = s == 0 ? curvature->tau_a : curvature->tau_b, *lever = work->lever[s];
		const double sign = row == 0 ? -1.0 : 1.0, own = row == s ? 1.0 : 0.0;
		const double along = own * abut_dot3(lever, force);
		for (int i = 0; work->body[s]->moving >= 0 && i < 3; i++) {
			for (int j = 0; j < 3; j++) {
				turn[block][6 * (3 + i) + 3 + j] =
				    sign * (own * lever[i] * force[j] - (i == j ? along : 0.0) + tau[3 * i + j]);
			}
		}
	}
}

static void turn_in_general(const AbutJointWork *work, const AbutJointCurvature *curvature, const double force[3],
                            double turn[4][36])
{
	for (int s = 0; s < 2; s++) {
		AbutJointMotion m;
		for (int kind = 0; work->body[s]->moving >= 0 && kind < 2; kind++) {
			motion_of(work, curvature, s, kind == 1, &m);
			write_wrenches(work, force, &m, s, 3 * kind, turn);
		}
	}
}

void abut_joint_turn_by_poses(const AbutJointWork *work, const double *impulse, double turn[4][36])
{
	const AbutJoint *joint = work->joint;
	AbutJointCurvature curvature;
	double force[3];
	abut_joint_curvature(joint->kind, &work->pose, impulse, &impulse[joint->n_held], &curvature);
	force_of(work, impulse, force);
	memset(turn, 0, 4 * sizeof *turn);
	if (has_fixed_points(work)) {
		turn_about_points(work, &curvature, force, turn);
	} else {
		turn_in_general(work, &curvature, force, turn);
	}
	for (int row = 0; row < 2; row++) {
		for (int column = 0; work->body[row]->planar && column < 2; column++) {
			clear_across(turn[2 * row + column]);
		}
	}
}

/* Adds what the shift of the levers changes of the moments by the motion of the bodies in the step, which moves it. */
static void add_shift(const AbutJointWork *work, double turn[4][36])
{
	double force[3], skew[9];
	force_of(work, work->impulse, force); /* bounds have none */
	abut_skew3(force, skew);
	for (int block = 0; block < 4; block++) {
		const int row = block / 2;
		const double part = row == 0 ? work->share : 1.0 - work->share; /* own shift by own dx */
		const double by_dx = (row == 0) == (row == block % 2) ? part : -part;
		for (int i = 0; i < 9; i++) {
			turn[block][18 + 6 * (i / 3) + i % 3] += by_dx * skew[i];
		}
		if (work->body[row]->planar) {
			clear_across(turn[block]);
		}
	}
}

/* Converts derivatives by poses to `share` times those by velocities. */
static void to_velocities(const AbutJointWork *work, double timestep, double share, double turn[4][36])
{
	const int first = has_fixed_points(work) ? 3 : 0; /* forces do not change */
	for (int block = 0; block < 4; block++) {
		for (int i = first; i < 6; i++) {
			double *row = &turn[block][6 * i], spun[3];
			abut_mat3_tvec(work->body[block % 2]->G, &row[3], spun);
			abut_scale3(share * timestep, row, row);
			abut_scale3(share, spun, &row[3]);
		}
	}
}

void abut_joint_split_impulses(const AbutJointWork *work, double of_theta[ABUT_JOINT_ROWS],
                               double of_bounds[ABUT_JOINT_ROWS])
{
	const int n = abut_joint_rows(work->joint), first = work->joint->n_held + work->joint->kind->n_freedoms;
	for (int i = 0; i < n; i++) {
		of_theta[i] = i < first ? work->impulse[i] : 0.0;
		of_bounds[i] = i < first ? 0.0 : work->impulse[i];
	}
}

void abut_joint_turn_of_rows(const AbutJointWork *work, double timestep, double turn[4][36])
{
	double of_theta[ABUT_JOINT_ROWS], of_bounds[ABUT_JOINT_ROWS], bounds[4][36];
	abut_joint_split_impulses(work, of_theta, of_bounds);
	abut_joint_turn_by_poses(work, of_theta, turn);
	add_shift(work, turn);
	to_velocities(work, timestep, work->theta, turn);
	if (abut_joint_bounded(work->joint)) {
		abut_joint_turn_by_poses(work, of_bounds, bounds);
		to_velocities(work, timestep, work->ball.theta, bounds);
		for (int i = 0; i < 144; i++) {
			turn[i / 36][i % 36] += bounds[i / 36][i % 36];
		}
	}
}
