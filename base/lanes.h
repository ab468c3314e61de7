/* Computes reductions in eight lanes. Entry i of an array belongs to lane i % 8, whatever the vector width of the
 * machine, and the lanes are combined in a fixed order. So all clones of a kernel (base/clones.h) give the same bits,
 * although the compiler may not reorder a sum. */
#pragma once

#include "base/clones.h"

enum { ABUT_LANES = 8 };

typedef double AbutLanes[ABUT_LANES];

ALWAYS_INLINE double abut_lanes_sum(const AbutLanes v)
{
	return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

/* target = max(target, value) in each lane; a NaN in `value` changes nothing. */
ALWAYS_INLINE void abut_lanes_raise(int n, AbutLanes target, const AbutLanes value)
{
	for (int l = 0; l < n; l++) {
		target[l] = value[l] > target[l] ? value[l] : target[l];
	}
}

ALWAYS_INLINE double abut_lanes_max(const AbutLanes v)
{
	AbutLanes most;
	for (int l = 0; l < 4; l++) {
		most[l] = v[l] > v[l + 4] ? v[l] : v[l + 4];
	}
	for (int l = 0; l < 2; l++) {
		most[l] = most[l] > most[l + 2] ? most[l] : most[l + 2];
	}
	return most[0] > most[1] ? most[0] : most[1];
}
