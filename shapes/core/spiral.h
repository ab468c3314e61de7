/* Computes directions spread evenly over the sphere, along a spiral. */
#pragma once

#include <math.h>

/* Computes direction i of n, a unit vector. */
static inline void abut_shape_spiral(int i, int n, double u[3])
{
	const double z = 1.0 - (2.0 * i + 1.0) / n, across = sqrt(1.0 - z * z);
	const double turn = i * M_PI * (3.0 - sqrt(5.0));
	u[0] = across * cos(turn);
	u[1] = across * sin(turn);
	u[2] = z;
}
