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

double abut_ray_support(AbutRay *ray, const double n[3], AbutCorner *out, double e[2][3], double reach[2])
{
	double back[3];
	abut_scale3(1.0 / abut_norm3(n), n, out->u);
	abut_scale3(-1.0, out->u, back);
	reach[0] = abut_growth_look(ray->side[0], out->u, &out->pieces.piece[0], out->a, e[0]);
	reach[1] = abut_growth_look(ray->side[1], back, &out->pieces.piece[1], out->b, e[1]);
	abut_sub3(out->a, out->b, out->s);
	ray->supports++;
	return abut_ray_bound(ray, out);
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
