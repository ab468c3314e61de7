/* Rows and curvature of the common form (kind.h). */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/joint/kinds/kind.h"

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
	return !kind->row && kind->n_translations < 3;
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

void abut_joint_free_rows(const AbutJointKind *kind, const AbutJointPose *pose, AbutJointRow *rows)
{
	for (int i = 0; i < kind->n_freedoms; i++) {
		const AbutJointFreedom *freedom = &kind->freedom[i];
		if (freedom->slide >= 0) {
			along(pose, freedom->slide, &rows[i]);
			continue;
		}
		double by_sine[3], by_cosine[3];
		const double s = product(pose, freedom->sine, by_sine), c = product(pose, freedom->cosine, by_cosine);
		const double scale = 1.0 / (s * s + c * c);
		rows[i] = (AbutJointRow){.value = atan2(s, c)};
		for (int j = 0; j < 3; j++) {
			rows[i].t[j] = scale * (c * by_sine[j] - s * by_cosine[j]);
		}
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

/* Adds the change of a vector that turns with body a. */
static void add_turning(const double v[3], double target[9])
{
	double skew[9];
	abut_skew3(v, skew);
	for (int i = 0; i < 9; i++) {
		target[i] -= skew[i];
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
	double force[3] = {0.0, 0.0, 0.0}, torque[3] = {0.0, 0.0, 0.0}; /* that turn with a */
	AbutJointRow row[ABUT_JOINT_FREEDOMS];
	for (int i = 0; kind->n_translations < 3 && i < kind->n_translations; i++) {
		along(pose, kind->translation[i], &row[0]);
		abut_add_scaled3(force, lambda[i], row[0].n, force);
	}
	for (int i = 0; i < kind->n_rotations; i++) {
		add_product(pose, kind->rotation[i], lambda[kind->n_translations + i], curvature);
	}
	abut_joint_free_rows(kind, pose, row);
	for (int i = 0; i < kind->n_freedoms; i++) {
		abut_add_scaled3(force, effort[i], row[i].n, force);
		abut_add_scaled3(torque, effort[i], row[i].t, torque);
	}
	add_turning(force, curvature->f_a);
	add_turning(torque, curvature->tau_a);
}
