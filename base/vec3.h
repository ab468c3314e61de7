/* Computes with 3-vectors, row-major 3 x 3 matrices and unit quaternions [w, x, y, z], in small inline functions. */
#pragma once

#include <math.h>
#include <stdbool.h>

static inline double abut_dot3(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Plain comparisons: the C library's fmax and fmin are slower function calls, because they treat NaN specially. */
static inline double abut_max(double a, double b)
{
	return a > b ? a : b;
}

static inline double abut_min(double a, double b)
{
	return a < b ? a : b;
}

static inline int abut_max_int(int a, int b)
{
	return a > b ? a : b;
}

static inline double abut_norm3(const double a[3])
{
	return sqrt(abut_dot3(a, a));
}

static inline void abut_cross3(const double a[3], const double b[3], double out[3])
{
	const double x = a[1] * b[2] - a[2] * b[1];
	const double y = a[2] * b[0] - a[0] * b[2];
	const double z = a[0] * b[1] - a[1] * b[0];
	out[0] = x;
	out[1] = y;
	out[2] = z;
}

static inline void abut_copy3(const double a[3], double out[3])
{
	out[0] = a[0];
	out[1] = a[1];
	out[2] = a[2];
}

/* out = a + b; here and in the sums below, out may be a or b. */
static inline void abut_add3(const double a[3], const double b[3], double out[3])
{
	for (int i = 0; i < 3; i++) {
		out[i] = a[i] + b[i];
	}
}

/* out = a - b */
static inline void abut_sub3(const double a[3], const double b[3], double out[3])
{
	for (int i = 0; i < 3; i++) {
		out[i] = a[i] - b[i];
	}
}

/* out = a + factor b */
static inline void abut_add_scaled3(const double a[3], double factor, const double b[3], double out[3])
{
	for (int i = 0; i < 3; i++) {
		out[i] = a[i] + factor * b[i];
	}
}

/* out = factor v */
static inline void abut_scale3(double factor, const double v[3], double out[3])
{
	for (int i = 0; i < 3; i++) {
		out[i] = factor * v[i];
	}
}

/* out = v / divisor */
static inline void abut_divide3(const double v[3], double divisor, double out[3])
{
	for (int i = 0; i < 3; i++) {
		out[i] = v[i] / divisor;
	}
}

/* out = M v; out may be v. */
static inline void abut_mat3_vec(const double M[9], const double v[3], double out[3])
{
	const double x = M[0] * v[0] + M[1] * v[1] + M[2] * v[2];
	const double y = M[3] * v[0] + M[4] * v[1] + M[5] * v[2];
	const double z = M[6] * v[0] + M[7] * v[1] + M[8] * v[2];
	out[0] = x;
	out[1] = y;
	out[2] = z;
}

/* out = M' v; out may be v. */
static inline void abut_mat3_tvec(const double M[9], const double v[3], double out[3])
{
	const double x = M[0] * v[0] + M[3] * v[1] + M[6] * v[2];
	const double y = M[1] * v[0] + M[4] * v[1] + M[7] * v[2];
	const double z = M[2] * v[0] + M[5] * v[1] + M[8] * v[2];
	out[0] = x;
	out[1] = y;
	out[2] = z;
}

/* out = A B; out differs from both. */
static inline void abut_mat3_mul(const double A[9], const double B[9], double out[9])
{
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			out[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
		}
	}
}

/* out = A B'; out differs from both. */
static inline void abut_mat3_mul_transposed(const double A[9], const double B[9], double out[9])
{
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			out[3 * i + j] = abut_dot3(&A[3 * i], &B[3 * j]);
		}
	}
}

/* out = A' B; out differs from both. */
static inline void abut_mat3_transposed_mul(const double A[9], const double B[9], double out[9])
{
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			out[3 * i + j] = A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
		}
	}
}

/* out = R (3 I - R'R) / 2: one Newton step towards the nearest rotation. It squares the error of R, so that rounding
 * does not accumulate in repeated moves. */
static inline void abut_mat3_orthonormalise(const double R[9], double out[9])
{
	double gram[9];
	abut_mat3_transposed_mul(R, R, gram);
	for (int i = 0; i < 9; i++) {
		gram[i] = 0.5 * ((i % 4 == 0 ? 3.0 : 0.0) - gram[i]);
	}
	abut_mat3_mul(R, gram, out);
}

/* [v]x: the matrix of the cross product with v. */
static inline void abut_skew3(const double v[3], double out[9])
{
	out[0] = 0.0;
	out[1] = -v[2];
	out[2] = v[1];
	out[3] = v[2];
	out[4] = 0.0;
	out[5] = -v[0];
	out[6] = -v[1];
	out[7] = v[0];
	out[8] = 0.0;
}

/* out = S^-1 v for a symmetric positive definite S, by its LDL' factors. */
static inline void abut_sym3_solve(const double S[9], const double v[3], double out[3])
{
	const double l10 = S[1] / S[0], l20 = S[2] / S[0];
	const double d1 = S[4] - l10 * S[1];
	const double l21 = (S[5] - l20 * S[1]) / d1;
	const double d2 = S[8] - l20 * S[2] - l21 * l21 * d1;
	const double y1 = v[1] - l10 * v[0];
	const double y2 = v[2] - l20 * v[0] - l21 * y1;
	out[2] = y2 / d2;
	out[1] = y1 / d1 - l21 * out[2];
	out[0] = v[0] / S[0] - l10 * out[1] - l20 * out[2];
}

/* sum += J + m (|d|^2 1 - d d'): adds a body of mass m to an inertia about a point (parallel axes). d is from there to
 * the body's centre of mass, about which J is. */
static inline void abut_add_inertia3(const double J[9], double m, const double d[3], double sum[9])
{
	const double square = abut_dot3(d, d);
	for (int i = 0; i < 9; i++) {
		sum[i] += J[i] + m * ((i % 4 == 0 ? square : 0.0) - d[i / 3] * d[i % 3]);
	}
}

/* Rotation matrix of a unit quaternion. */
static inline void abut_quat_to_mat3(const double q[4], double R[9])
{
	const double w = q[0], x = q[1], y = q[2], z = q[3];
	R[0] = 1.0 - 2.0 * (y * y + z * z);
	R[1] = 2.0 * (x * y - w * z);
	R[2] = 2.0 * (x * z + w * y);
	R[3] = 2.0 * (x * y + w * z);
	R[4] = 1.0 - 2.0 * (x * x + z * z);
	R[5] = 2.0 * (y * z - w * x);
	R[6] = 2.0 * (x * z - w * y);
	R[7] = 2.0 * (y * z + w * x);
	R[8] = 1.0 - 2.0 * (x * x + y * y);
}

/* Computes the unit quaternion q of a rotation. The matrix gives the squares 4 q_i^2; the largest one is used, so that
 * the division is safe (tests/io/scene_write.c). */
static inline void abut_mat3_to_quat(const double R[9], double q[4])
{
	const double squares[4] = {1.0 + R[0] + R[4] + R[8], 1.0 + R[0] - R[4] - R[8], 1.0 - R[0] + R[4] - R[8],
	                           1.0 - R[0] - R[4] + R[8]};
	/* products 4 q_i q_j, with i and j from w, x, y, z */
	const double wx = R[7] - R[5], wy = R[2] - R[6], wz = R[3] - R[1];
	const double xy = R[1] + R[3], xz = R[2] + R[6], yz = R[5] + R[7];
	const double products[4][4] = {
	    {squares[0], wx, wy, wz}, {wx, squares[1], xy, xz}, {wy, xy, squares[2], yz}, {wz, xz, yz, squares[3]}};
	int most = 0;
	for (int i = 1; i < 4; i++) {
		most = squares[i] > squares[most] ? i : most;
	}
	for (int i = 0; i < 4; i++) {
		q[i] = products[most][i] / (2.0 * sqrt(squares[most]));
	}
}

/* Hamilton product; out differs from both. */
static inline void abut_quat_mul(const double a[4], const double b[4], double out[4])
{
	out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
	out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
	out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
	out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static inline void abut_quat_normalise(double q[4])
{
	const double inverse = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	for (int i = 0; i < 4; i++) {
		q[i] *= inverse;
	}
}

static inline bool abut_all_finite(const double *values, int n)
{
	for (int i = 0; i < n; i++) {
		if (!isfinite(values[i])) {
			return false;
		}
	}
	return true;
}
