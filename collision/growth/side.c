/* Places a shape for the growth distance, and finds its furthest points. */
#include "collision/growth/side.h"

#include <stddef.h>

#include "base/vec3.h"

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

double abut_growth_look(const AbutGrowthSide *side, const double u[3], AbutPiece *piece, double point[3], double e[3])
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
	abut_growth_look(side, u, &piece, point, e);
	return abut_dot3(u, point);
}
