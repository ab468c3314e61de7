/* Rows and curvature of the common form (kind.h). */
#include "dynamics/joint/kinds/rows.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/rotation.h"
#include "base/vec3.h"

static void axis(const double R[9], int i, double out[3])
{
	for (int j = 0; j < 3; j++) {
		out[j] = R[3 * j + i];
	}
}

/* Computes A_i . B_j and its derivative B_j x A_i by the relative rotation. */
static double product(const AbutJointPose *pose, const int axes[2], double t[3])
{
	double a[3], b[3];
	axis(pose->A, axes[0], a);
	axis(pose->B, axes[1], b);
	abut_cross3(b, a, t);
	return abut_dot3(a, b);
}

int abut_joint_kind_places(const AbutJointKind *kind)
{
	return kind->row ? 1 : kind->n_translations;
}

int abut_joint_kind_held(const AbutJointKind *kind)
{
	return abut_joint_kind_places(kind) + kind->n_rotations;
}

bool abut_joint_kind_turning(const AbutJointKind *kind)
{
	return kind->n_translations > 0 && kind->n_translations < 3;
}

static void along(const AbutJointPose *pose, int i, AbutJointRow *row)
{
	*row = (AbutJointRow){.value = 0.0};
	axis(pose->A, i, row->n);
	row->value = abut_dot3(row->n, pose->d);
}

void abut_joint_held_rows(const AbutJointKind *kind, const AbutJointPose *pose, AbutJointRow *rows)
{
	const bool world = kind->n_translations == 3;
	if (kind->row) {
		kind->row(pose, rows);
		return;
	}
	for (int i = 0; i < kind->n_translations; i++) {
		if (world) {
			rows[i] = (AbutJointRow){.value = pose->d[i]};
			rows[i].n[i] = 1.0;
		} else {
			along(pose, kind->translation[i], &rows[i]);
		}
	}
	for (int i = 0; i < kind->n_rotations; i++) {
		AbutJointRow *row = &rows[kind->n_translations + i];
		*row = (AbutJointRow){.value = 0.0};
		row->value = product(pose, kind->rotation[i], row->t);
	}
}

/* Computes the pose of b seen from where it was in a at the start of the step. */
static AbutJointPose since_start(const AbutJointPose *pose)
{
	AbutJointPose since = *pose;
	abut_mat3_mul(pose->A, pose->from, since.A);
	return since;
}

/* Computes the row of a spin. Without a start, its value is an entry of the rotation vector. */
static void spin(const AbutJointPose *pose, int i, AbutJointRow *row)
{
	const int j = (i + 1) % 3, k = (i + 2) % 3, pairs[2][2] = {{k, j}, {j, k}};
	double by[2][3];
	*row = (AbutJointRow){.value = 0.0};
	if (pose->from) {
		const AbutJointPose since = since_start(pose);
		row->value = 0.5 * (product(&since, pairs[0], by[0]) - product(&since, pairs[1], by[1]));
		abut_sub3(by[0], by[1], row->t);
		abut_scale3(0.5, row->t, row->t);
		return;
	}
	double turn[9], phi[3];
	abut_mat3_transposed_mul(pose->A, pose->B, turn);
	abut_mat3_to_rotation(turn, phi);
	row->value = phi[i];
	axis(pose->B, i, row->t);
}

/* Returns the angle with the given sine and cosine, times a positive number. A turn of a step is small: its series
 * takes a fifth of the time of atan2 (bench robots). */
static double angle_of(double sine, double cosine)
{
	const double t = sine / cosine, a = t * t, b = a * a;
	if (!(cosine > 0.0) || a > 0.01) {
		return atan2(sine, cosine);
	}
	const double low = (1.0 - a / 3.0) + b * (1.0 / 5.0 - a / 7.0);
	const double high = (1.0 / 9.0 - a / 11.0) + b * (1.0 / 13.0 - a / 15.0);
	return t * (low + b * b * high);
}

void abut_joint_turns_at(const AbutJointKind *kind, const AbutJointPose *pose, AbutJointTurn *turns)
{
	for (int i = 0; i < kind->n_freedoms; i++) {
		const AbutJointFreedom *freedom = &kind->freedom[i];
		if (freedom->slide < 0 && !freedom->spins) {
			double by[3];
			turns[i].sine = product(pose, freedom->sine, by);
			turns[i].cosine = product(pose, freedom->cosine, by);
		}
	}
}

/* Returns the angle of a turn. */
static double turn_of(const AbutJointTurn *near, double sine, double cosine)
{
	return near ? near->angle +
	                  angle_of(sine * near->cosine - cosine * near->sine, cosine * near->cosine + sine * near->sine)
	            : atan2(sine, cosine);
}

void abut_joint_free_rows(const AbutJointKind *kind, const AbutJointPose *pose, AbutJointRow *rows)
{
	for (int i = 0; i < kind->n_freedoms; i++) {
		const AbutJointFreedom *freedom = &kind->freedom[i];
		if (freedom->slide >= 0) {
			along(pose, freedom->slide, &rows[i]);
			continue;
		}
		if (freedom->spins) {
			spin(pose, freedom->about, &rows[i]);
			continue;
		}
		double by_sine[3], by_cosine[3];
		const double s = product(pose, freedom->sine, by_sine), c = product(pose, freedom->cosine, by_cosine);
		const double scale = 1.0 / (s * s + c * c);
		rows[i] = (AbutJointRow){.value = turn_of(pose->near ? &pose->near[i] : NULL, s, c)};
		for (int j = 0; j < 3; j++) {
			rows[i].t[j] = scale * (c * by_sine[j] - s * by_cosine[j]);
		}
	}
}

static void cone(const AbutJointPose *pose, AbutJointRow *row)
{
	static const int axes[2] = {2, 2};
	double a[3], b[3];
	product(pose, axes, row->t);
	axis(pose->A, 2, a);
	axis(pose->B, 2, b);
	abut_scale3(1.0 / pose->cone, row->t, row->t);
	abut_sub3(a, b, a);
	row->value = -0.5 * abut_dot3(a, a) / pose->cone;
}

static void twist(const AbutJointPose *pose, AbutJointRow *row)
{
	static const int pairs[4][2] = {{1, 0}, {0, 1}, {0, 0}, {1, 1}};
	double a[3], b[3], of[4], unused[3];
	for (int i = 0; i < 4; i++) {
		of[i] = product(pose, pairs[i], unused);
	}
	row->value = atan2(of[0] - of[1], of[2] + of[3]);
	axis(pose->A, 2, a);
	axis(pose->B, 2, b);
	abut_add3(a, b, row->t);
	abut_scale3(1.0 / (1.0 + abut_dot3(a, b)), row->t, row->t);
}

void abut_joint_bound_rows(const AbutJointKind *kind, const AbutJointPose *pose, AbutJointRow *rows)
{
	for (int i = kind->n_freedoms; i < kind->n_laws; i++, rows++) {
		*rows = (AbutJointRow){.value = 0.0};
		(kind->freedom[i].bound == ABUT_BOUND_CONE ? cone : twist)(pose, rows);
	}
}

void abut_joint_motion(const AbutJointKind *kind, const double *c, double R[9], double d[3])
{
	static const double none[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
	memcpy(R, none, sizeof none);
	memset(d, 0, 3 * sizeof *d);
	if (kind->n_freedoms > 0 && kind->freedom[0].spins) {
		abut_rotation_to_mat3(c, R);
		return;
	}
	for (int i = 0; i < kind->n_freedoms; i++) {
		const AbutJointFreedom *freedom = &kind->freedom[i];
		if (freedom->slide >= 0) {
			d[freedom->slide] = c[i];
			continue;
		}
		const int j = (freedom->about + 1) % 3, k = (freedom->about + 2) % 3;
		double turn[9], before[9];
		memcpy(turn, none, sizeof none);
		turn[4 * j] = turn[4 * k] = cos(c[i]);
		turn[3 * k + j] = sin(c[i]);
		turn[3 * j + k] = -sin(c[i]);
		memcpy(before, R, sizeof before);
		abut_mat3_mul(before, turn, R);
	}
}

/* Adds the change of lambda B_j x A_i: (dTheta_b x B_j) x A_i + B_j x (dTheta_a x A_i). */
static void add_product(const AbutJointPose *pose, const int axes[2], double lambda, AbutJointCurvature *curvature)
{
	double a[3], b[3];
	axis(pose->A, axes[0], a);
	axis(pose->B, axes[1], b);
	const double ab = abut_dot3(a, b);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			const double unit = i == j ? ab : 0.0;
			curvature->tau_b[3 * i + j] += lambda * (b[i] * a[j] - unit);
			curvature->tau_a[3 * i + j] += lambda * (unit - a[i] * b[j]);
		}
	}
}

/* Adds the change of the row of a turn, t = (c t_s - s t_c) / (s^2 + c^2), whose products have the values s and c and
 * the derivatives t_s and t_c. */
static void add_angle(const AbutJointPose *pose, const AbutJointFreedom *freedom, double effort,
                      AbutJointCurvature *curvature)
{
	double by_sine[3], by_cosine[3];
	const double s = product(pose, freedom->sine, by_sine), c = product(pose, freedom->cosine, by_cosine);
	const double scale = effort / (s * s + c * c);
	add_product(pose, freedom->sine, scale * c, curvature);
	add_product(pose, freedom->cosine, -scale * s, curvature);
	for (int i = 0; i < 3; i++) {
		const double t = (c * by_sine[i] - s * by_cosine[i]) / (s * s + c * c);
		for (int j = 0; j < 3; j++) { /* by the change of s and c */
			const double relative = scale * (by_sine[i] * by_cosine[j] - by_cosine[i] * by_sine[j] -
			                                 2.0 * t * (s * by_sine[j] + c * by_cosine[j]));
			curvature->tau_b[3 * i + j] += relative;
			curvature->tau_a[3 * i + j] -= relative;
		}
	}
}

/* Adds the change of a vector that turns with a body. */
static void add_turning(const double v[3], double target[9])
{
	double skew[9];
	abut_skew3(v, skew);
	for (int i = 0; i < 9; i++) {
		target[i] -= skew[i];
	}
}

/* Adds the change of the row of a spin. */
static void add_spin(const AbutJointPose *pose, int i, double effort, AbutJointCurvature *curvature)
{
	const int j = (i + 1) % 3, k = (i + 2) % 3, pairs[2][2] = {{k, j}, {j, k}};
	if (pose->from) {
		const AbutJointPose since = since_start(pose);
		add_product(&since, pairs[0], 0.5 * effort, curvature);
		add_product(&since, pairs[1], -0.5 * effort, curvature);
	} else {
		double torque[3];
		axis(pose->B, i, torque);
		abut_scale3(effort, torque, torque);
		add_turning(torque, curvature->tau_b);
	}
}

/* Adds the change of the row of the twist (kind.h). */
static void add_twist(const AbutJointPose *pose, double effort, AbutJointCurvature *curvature)
{
	double a[3], b[3], sum[3], cross[3];
	axis(pose->A, 2, a);
	axis(pose->B, 2, b);
	abut_add3(a, b, sum);
	abut_cross3(b, a, cross);
	const double scale = effort / (1.0 + abut_dot3(a, b));
	for (int i = 0; i < 9; i++) {
		const double relative = scale / (1.0 + abut_dot3(a, b)) * sum[i / 3] * cross[i % 3];
		curvature->tau_a[i] += relative;
		curvature->tau_b[i] -= relative;
	}
	abut_scale3(scale, a, a);
	abut_scale3(scale, b, b);
	add_turning(a, curvature->tau_a);
	add_turning(b, curvature->tau_b);
}

/* Adds the change of the row of a freedom that turns, or of a bound. */
static void add_free(const AbutJointPose *pose, const AbutJointFreedom *freedom, double effort,
                     AbutJointCurvature *curvature)
{
	static const int along_z[2] = {2, 2};
	if (freedom->bound == ABUT_BOUND_CONE) {
		add_product(pose, along_z, effort / pose->cone, curvature);
	} else if (freedom->bound == ABUT_BOUND_TWIST) {
		add_twist(pose, effort, curvature);
	} else if (freedom->spins) {
		add_spin(pose, freedom->about, effort, curvature);
	} else {
		add_angle(pose, freedom, effort, curvature);
	}
}

void abut_joint_curvature(const AbutJointKind *kind, const AbutJointPose *pose, const double *lambda,
                          const double *effort, AbutJointCurvature *curvature)
{
	memset(curvature, 0, sizeof *curvature);
	if (kind->row_curvature) {
		kind->row_curvature(pose, lambda[0], curvature);
		return;
	}
	double force[3] = {0.0, 0.0, 0.0}; /* that turns with a */
	AbutJointRow row;
	for (int i = 0; kind->n_translations < 3 && i < kind->n_translations; i++) {
		along(pose, kind->translation[i], &row);
		abut_add_scaled3(force, lambda[i], row.n, force);
	}
	for (int i = 0; i < kind->n_rotations; i++) {
		add_product(pose, kind->rotation[i], lambda[kind->n_translations + i], curvature);
	}
	for (int i = 0; i < kind->n_laws; i++) {
		if (effort[i] == 0.0) { /* mostly, nothing acts on a freedom */
			continue;
		}
		if (kind->freedom[i].slide >= 0) {
			along(pose, kind->freedom[i].slide, &row);
			abut_add_scaled3(force, effort[i], row.n, force);
		} else {
			add_free(pose, &kind->freedom[i], effort[i], curvature);
		}
	}
	add_turning(force, curvature->f_a);
}

double abut_joint_unwrap(double angle, double near)
{
	static const double revolution = 2.0 * 3.14159265358979323846;
	if (fabs(near - angle) < 3.0) { /* without the call of round */
		return angle;
	}
	return angle + revolution * round((near - angle) / revolution);
}
