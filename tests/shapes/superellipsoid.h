/* Computes the support function of a superellipsoid by duality. For the ball of a norm it is the dual norm, here of
 * exponents a' = a / (a - 1), b' = b / (b - 1). The furthest point is its gradient. The library has other code. */
#pragma once

#include <math.h>

static inline double superellipsoid_norm(double x, double y, double q)
{
	const double largest = fmax(fabs(x), fabs(y));
	return largest > 0.0 ? largest * pow(pow(fabs(x) / largest, q) + pow(fabs(y) / largest, q), 1.0 / q) : 0.0;
}

/* Returns the largest d . p, with its p in `point`; own frame. */
static inline double superellipsoid_support(const double r[3], const double exponents[2], const double d[3],
                                            double point[3])
{
	const double a = exponents[0] / (exponents[0] - 1.0), b = exponents[1] / (exponents[1] - 1.0);
	const double x = r[0] * d[0], y = r[1] * d[1], z = r[2] * d[2];
	const double n = superellipsoid_norm(x, y, a), h = superellipsoid_norm(n, z, b);
	const double across = h > 0.0 ? pow(n / h, b - 1.0) : 0.0;
	point[0] = n > 0.0 ? copysign(r[0] * across * pow(fabs(x) / n, a - 1.0), x) : 0.0;
	point[1] = n > 0.0 ? copysign(r[1] * across * pow(fabs(y) / n, a - 1.0), y) : 0.0;
	point[2] = h > 0.0 ? copysign(r[2] * pow(fabs(z) / h, b - 1.0), z) : 0.0;
	return h;
}
