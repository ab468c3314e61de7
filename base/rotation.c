/* Implements rotation vectors. With a = |phi| and the matrix X of phi x,
 *
 *     J = 1 - (1 - cos a) / a^2 X + (a - sin a) / a^3 X^2,     J^-1 = 1 + X / 2 + (1 - (a / 2) cot(a / 2)) / a^2 X^2.
 */
#include "base/rotation.h"

#include <math.h>

#include "base/vec3.h"

/* Below this angle, series have all digits. */
static const double small = 1e-3;

void abut_rotation_to_mat3(const double phi[3], double R[9])
{
	const double angle = abut_norm3(phi);
	double q[4] = {cos(0.5 * angle)};
	abut_scale3(angle > 0.0 ? sin(0.5 * angle) / angle : 0.5, phi, &q[1]);
	abut_quat_normalise(q);
	abut_quat_to_mat3(q, R);
}

void abut_mat3_to_rotation(const double R[9], double phi[3])
{
	double q[4];
	abut_mat3_to_quat(R, q);
	const double sine = abut_norm3(&q[1]), angle = 2.0 * atan2(sine, fabs(q[0]));
	abut_scale3((q[0] < 0.0 ? -1.0 : 1.0) * (sine > 0.0 ? angle / sine : 2.0), &q[1], phi);
}

/* Computes 1 + linear X + square X^2. */
static void series(const double phi[3], double linear, double square, double out[9])
{
	double X[9], X2[9];
	abut_skew3(phi, X);
	abut_mat3_mul(X, X, X2);
	for (int i = 0; i < 9; i++) {
		out[i] = (i % 4 == 0 ? 1.0 : 0.0) + linear * X[i] + square * X2[i];
	}
}

void abut_rotation_jacobian(const double phi[3], double J[9])
{
	const double a = abut_norm3(phi), half = a > 0.0 ? sin(0.5 * a) / a : 0.5;
	series(phi, -2.0 * half * half, a > small ? (a - sin(a)) / (a * a * a) : 1.0 / 6.0 - a * a / 120.0, J);
}

void abut_rotation_jacobian_inverse(const double phi[3], double J[9])
{
	const double a = abut_norm3(phi), half = 0.5 * a;
	series(phi, 0.5, a > small ? (1.0 - half / tan(half)) / (a * a) : 1.0 / 12.0 + a * a / 720.0, J);
}
