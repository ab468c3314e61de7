/* Furthest points of a side, and how the round ones move with the direction. */
#include "collision/manifold/support.h"

#include <stddef.h>

#include "shapes/support/support.h"

static double reach_of_hull(const AbutManifoldSide *side, const double own[3])
{
	const AbutHull *hull = side->shape->hull;
	double most = -(double)INFINITY;
	for (int v = 0; v < hull->n_vertices; v++) {
		most = abut_max(most, abut_dot3(own, &hull->vertices[3 * v]));
	}
	return most + side->shape->radius;
}

double abut_manifold_reach(const AbutManifoldSide *side, const double n[3])
{
	const AbutManifoldShape *shape = side->shape;
	const bool hull = shape->kind == ABUT_MANIFOLD_POLYTOPE || shape->kind == ABUT_MANIFOLD_PADDED;
	double own[3];
	abut_mat3_tvec(side->R, n, own);
	return abut_dot3(n, side->x) +
	       (hull ? reach_of_hull(side, own)
	             : (abut_shape_support(shape->shape, own, NULL) - abut_dot3(own, shape->origin)) / shape->unit);
}

/* B in the world's axes: M B M'. */
static void turn(const double M[9], const double B[9], double out[9])
{
	double half[9];
	abut_mat3_mul(M, B, half);
	abut_mat3_mul_transposed(half, M, out);
}

/* e = D u / h with D = diag(r^2), h = |r o u|; by u it moves by D / h - e e' / h. */
static bool round_of_ellipsoid(const double r[3], const double u[3], double e[3], double bend[9])
{
	static const double least = 1e-9; /* of the radius: straight at a disc the furthest point is any of it */
	const double largest = abut_max(r[0], abut_max(r[1], r[2]));
	e[0] = e[1] = e[2] = 0.0;
	const double h = abut_add_ellipsoid(r, u, e);
	for (int i = 0; i < 9; i++) {
		const double D = i % 4 == 0 ? r[i / 3] * r[i / 3] : 0.0;
		bend[i] = h > 0.0 ? (D - e[i / 3] * e[i % 3]) / h : 0.0;
	}
	return h > least * largest || largest == 0.0;
}

bool abut_manifold_round(const AbutManifoldSide *side, const double n[3], double e[3], double bend[9])
{
	const AbutManifoldShape *shape = side->shape;
	double M[9], u[3], r[3] = {0.0, 0.0, 0.0}, own[9];
	bool unique;
	abut_mat3_mul(side->R, shape->shape->rotation, M);
	abut_mat3_tvec(M, n, u);
	if (shape->shape->smooth) {
		unique = abut_shape_smooth_own(shape->shape, u, e, own);
	} else {
		if (shape->radius == 0.0) {
			abut_shape_radii(shape->shape, r);
		}
		unique = round_of_ellipsoid(r, u, e, own);
	}
	abut_mat3_vec(M, e, e);
	turn(M, own, bend);
	for (int i = 0; i < 9; i++) {
		e[i % 3] /= i < 3 ? shape->unit : 1.0;
		bend[i] /= shape->unit;
	}
	return unique && abut_all_finite(e, 3) && abut_all_finite(bend, 9);
}
