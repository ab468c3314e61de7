/* Computes turns: between two orientations, and of the z axis onto a direction. */
#pragma once

#include "base/vec3.h"

/* Computes the rotation vector, in the axes of `from`, that turns `from` into `to`; its length is at most pi. */
static inline void abut_turn_between(const double from[4], const double to[4], double out[3])
{
	const double back[4] = {from[0], -from[1], -from[2], -from[3]};
	double turn[4];
	abut_quat_mul(back, to, turn);
	const double sine = abut_norm3(&turn[1]), sign = turn[0] < 0.0 ? -1.0 : 1.0;
	const double scale = sine > 0.0 ? 2.0 * atan2(sine, fabs(turn[0])) / sine : 2.0;
	for (int k = 0; k < 3; k++) {
		out[k] = sign * scale * turn[1 + k];
	}
}

/* Computes the turn without twist that takes z to the unit vector `along`; within 2.6 degrees of -z, it takes z to -z.
 */
static inline void abut_turn_z_to(const double along[3], double q[4])
{
	const bool down = along[2] < -0.999;
	q[0] = down ? 0.0 : 1.0 + along[2];
	q[1] = down ? 1.0 : -along[1];
	q[2] = down ? 0.0 : along[0];
	q[3] = 0.0;
	abut_quat_normalise(q);
}
