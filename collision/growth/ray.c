/* Places shapes for the growth distance, and computes their furthest points and the corners of C. Also keeps the
 * largest lower bound of alpha, and chooses which corner of a triangle around the ray to replace. */
#include "collision/growth/ray.h"

#include <stddef.h>

void abut_growth_place(const AbutShape *shape, const double position[3], const double R[9], AbutGrowthSide *out)
{
	double own[3];
	out->shape = shape;
	abut_shape_radii(shape, out->radii);
	abut_mat3_mul(R, shape->rotation, out->M);
	abut_sub3(shape->position, shape->centre, own);
	abut_mat3_vec(R, own, out->offset);
	abut_mat3_vec(R, shape->centre, out->centre);
	abut_add3(out->centre, position, out->centre);
}

/* Finds the side's furthest point along u, |u| = 1, relative to its centre, and the piece to which it belongs. e is the
 * furthest point of the shape's round part, with radii r, relative to its middle; it is zero if there is no round part
 * (world, m). Returns |r o u|, with u in the shape's own frame. */
static double look(const AbutGrowthSide *side, const double u[3], AbutPiece *piece, double point[3], double e[3])
{
	double own_u[3], own[3] = {0.0, 0.0, 0.0}, reach = 0.0;
	abut_mat3_tvec(side->M, u, own_u);
	abut_shape_piece_own(side->shape, own_u, piece);
	abut_mat3_vec(side->M, piece->centre, point);
	if (side->shape->smooth) {
		abut_shape_smooth_own(side->shape, own_u, own, NULL);
	} else if (side->radii[0] > 0.0) {
		reach = abut_add_ellipsoid(side->radii, own_u, own);
	}
	abut_mat3_vec(side->M, own, e);
	for (int i = 0; i < 3; i++) {
		point[i] += side->offset[i] + (piece->round ? e[i] : 0.0);
	}
	return reach;
}

double abut_growth_reach(const AbutGrowthSide *side, const double u[3], double point[3])
{
	AbutPiece piece;
	double e[3];
	look(side, u, &piece, point, e);
	return abut_dot3(u, point);
}

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
	reach[0] = look(ray->side[0], out->u, &out->pieces.piece[0], out->a, e[0]);
	reach[1] = look(ray->side[1], back, &out->pieces.piece[1], out->b, e[1]);
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
