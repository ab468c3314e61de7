/* Keeps the largest lower bound of alpha, and the triangle of corners that the ray passes. */
#include "collision/growth/ray.h"

double abut_ray_bound(AbutRay *ray, const AbutCorner *corner)
{
	const double height = abut_dot3(corner->u, corner->s), bound = abut_dot3(corner->u, ray->D) / height;
	if (bound > ray->lower) {
		ray->lower = bound;
		ray->height = height;
		abut_copy3(corner->u, ray->u);
	}
	return height;
}

int abut_ray_gives_way(const AbutRay *ray, const double *const s[3], const double further[3])
{
	double x[3];
	for (int i = 0; i < 3; i++) {
		x[i] = abut_ray_turn(ray, s[i], further);
	}
	if (x[0] > 0.0) {
		return x[2] <= 0.0 ? 1 : 0;
	}
	return x[1] >= 0.0 ? 2 : 0;
}
