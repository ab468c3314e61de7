/* Computes the growth distance if the ray leaves C through the flat end of a cylinder or a cone. There, h_C is not
 * differentiable along the axis, so Newton's method fails; a closed form replaces it. Tested in
 * tests/collision/test_growth.c. */
#include "collision/growth/end.h"

#include <math.h>

#include "base/vec3.h"

/* Relative to the lower bound of alpha. */
static const double rounding = 1e-14;

/* Angle from the axis towards the rim (rad): the next direction if the flat end is not the answer. */
static const double aside = 1e-2;

/* Tests whether the ray leaves C through the end. Let q be the point of the other shape that is furthest along the
 * axis, and `centre` the disc's centre. The ray leaves through the end if
 *
 *     t = D / alpha - (centre - q),    alpha = axis.D / axis.(centre - q),
 *
 * lies in the disc. Otherwise, turning the axis towards t increases the bound, provided that the axis has the largest
 * bound so far. */
bool abut_growth_end(AbutRay *ray, const AbutPieces *pieces, int k, double n[3], AbutGrowth *out)
{
	const AbutGrowthSide *flat = ray->side[k];
	const double *disc = pieces->piece[k].centre, before = ray->lower;
	const double sign = k == 0 ? 1.0 : -1.0, outwards = disc[2] > 0.0 ? sign : -sign;
	double back[3], centre[3], q[3], t[3];
	AbutCorner end;
	for (int i = 0; i < 3; i++) {
		end.u[i] = outwards * flat->M[3 * i + 2];
		back[i] = -sign * end.u[i];
		n[i] = 0.0;
	}
	abut_growth_reach(ray->side[1 - k], back, q);
	abut_mat3_vec(flat->M, disc, centre);
	abut_add3(centre, flat->offset, centre);
	abut_sub3(centre, q, end.s);
	abut_scale3(sign, end.s, end.s);
	ray->supports++;
	const double height = abut_ray_bound(ray, &end), alpha = abut_dot3(end.u, ray->D) / height;
	if (!(alpha > 0.0 && alpha >= before * (1.0 - rounding))) {
		return false;
	}
	for (int i = 0; i < 3; i++) {
		t[i] = ray->D[i] / alpha - end.s[i];
	}
	const double length = abut_norm3(t);
	if (length > flat->radii[0]) {
		abut_add_scaled3(end.u, aside / length, t, n);
		return false;
	}
	*out = (AbutGrowth){.alpha = alpha,
	                    .error = alpha * fabs(abut_dot3(end.u, t)) / height,
	                    .height = height,
	                    .supports = ray->supports};
	abut_copy3(end.u, out->normal);
	for (int i = 0; i < 3; i++) {
		const double a = k == 0 ? centre[i] + t[i] : q[i];
		out->point[i] = ray->side[0]->centre[i] + alpha * a;
	}
	return true;
}
