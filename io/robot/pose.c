/* Computes poses and rotations. */
#include "io/robot/pose.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

AbutPose abut_pose_identity(void)
{
	return (AbutPose){{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
}

AbutPose abut_pose_compose(const AbutPose *outer, const AbutPose *inner)
{
	AbutPose pose = {.position = {0.0}};
	double R[9], moved[3];
	abut_quat_to_mat3(outer->orientation, R);
	abut_mat3_vec(R, inner->position, moved);
	abut_add3(outer->position, moved, pose.position);
	abut_quat_mul(outer->orientation, inner->orientation, pose.orientation);
	return pose;
}

AbutPose abut_pose_inverse(const AbutPose *pose)
{
	const double *q = pose->orientation;
	AbutPose out = {.orientation = {q[0], -q[1], -q[2], -q[3]}};
	double R[9];
	abut_quat_to_mat3(q, R);
	abut_mat3_tvec(R, pose->position, out.position);
	abut_scale3(-1.0, out.position, out.position);
	return out;
}

void abut_turn(const double axis[3], double angle, double q[4])
{
	const double length = abut_norm3(axis), sine = length > 0.0 ? sin(0.5 * angle) / length : 0.0;
	q[0] = length > 0.0 ? cos(0.5 * angle) : 1.0;
	for (int i = 0; i < 3; i++) {
		q[i + 1] = sine * axis[i];
	}
}

void abut_turn_by_euler(const char sequence[4], const double angles[3], double q[4])
{
	q[0] = 1.0;
	q[1] = q[2] = q[3] = 0.0;
	for (int i = 0; i < 3; i++) {
		const bool rotates = sequence[i] >= 'x';
		double axis[3] = {0.0, 0.0, 0.0}, turn[4], product[4];
		axis[rotates ? sequence[i] - 'x' : sequence[i] - 'X'] = 1.0;
		abut_turn(axis, angles[i], turn);
		abut_quat_mul(rotates ? q : turn, rotates ? turn : q, product);
		memcpy(q, product, sizeof product);
	}
}

void abut_turn_z_onto(const double direction[3], double q[4])
{
	const double across = sqrt(direction[0] * direction[0] + direction[1] * direction[1]);
	const double axis[3] = {across > 0.0 ? -direction[1] : 1.0, direction[0], 0.0};
	abut_turn(axis, atan2(across, direction[2]), q);
}

/* The second axis is y made orthogonal to x. The quaternion is computed from its largest squared component, so that the
 * division is safe (tests/io/import.c). */
void abut_turn_of_axes(const double x[3], const double y[3], double q[4])
{
	double u[3], v[3], w[3];
	const double x_length = abut_norm3(x);
	abut_divide3(x, x_length, u);
	const double along = abut_dot3(u, y);
	abut_add_scaled3(y, -along, u, v);
	const double y_length = abut_norm3(v);
	abut_divide3(v, y_length, v);
	abut_cross3(u, v, w);
	const double s[4] = {1.0 + u[0] + v[1] + w[2], 1.0 + u[0] - v[1] - w[2], 1.0 - u[0] + v[1] - w[2],
	                     1.0 - u[0] - v[1] + w[2]};
	const double wx = v[2] - w[1], wy = w[0] - u[2], wz = u[1] - v[0];
	const double xy = v[0] + u[1], xz = w[0] + u[2], yz = w[1] + v[2];
	const double products[4][4] = {{s[0], wx, wy, wz}, {wx, s[1], xy, xz}, {wy, xy, s[2], yz}, {wz, xz, yz, s[3]}};
	int most = 0;
	for (int i = 1; i < 4; i++) {
		most = s[i] > s[most] ? i : most;
	}
	for (int i = 0; i < 4; i++) {
		q[i] = products[most][i];
	}
	abut_quat_normalise(q);
}
