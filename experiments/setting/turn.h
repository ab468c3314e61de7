/* Computes the turn between two orientations as a rotation vector. */
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
