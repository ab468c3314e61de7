/* Computes support functions in the shape's own frame, for inner loops. */
#pragma once

#include "abut/shape.h"
#include "base/vec3.h"

/* A piece is a centre with a round part around it, which is the same for all round pieces of a shape. Examples are a
 * vertex of a padded polytope with its ball, or an end of a cylinder with its disc. A bounded shape is the hull of its
 * pieces. */
typedef struct AbutPiece {
	int index;  /* number of the piece in the shape */
	bool round; /* false if the piece is only its centre: boxes, polytopes, and the apex of a cone */
	double centre[3];
} AbutPiece;

/* Returns whether the shape has finitely many pieces, which `index` distinguishes. In other shapes (general sums,
 * intersections, conic data) each furthest point is a piece of its own. */
bool abut_shape_has_pieces(const AbutShape *shape);

/* Finds the piece furthest along u; |u| is about 1. */
void abut_shape_piece_own(const AbutShape *shape, const double u[3], AbutPiece *out);

/* Returns the round part as the radii (m) of an ellipsoid along the axes: (R, R, R) for a ball, (R, R, 0) for a disc
 * across z, zeros if there is none. */
void abut_shape_radii(const AbutShape *shape, double r[3]);

/* Adds to `point` the point of such an ellipsoid that is furthest along u, r o (r o u) / |r o u|, where o multiplies
 * entry by entry. Adds nothing if r o u is zero. Returns its reach |r o u|. */
static inline double abut_add_ellipsoid(const double r[3], const double u[3], double point[3])
{
	const double stretched[3] = {r[0] * u[0], r[1] * u[1], r[2] * u[2]};
	const double reach = abut_norm3(stretched);
	if (reach > 0.0) {
		for (int i = 0; i < 3; i++) {
			point[i] += r[i] * (stretched[i] / reach);
		}
	}
	return reach;
}

/* Finds the point of a smooth shape furthest along u. `bend` (may be NULL) receives its symmetric derivative with
 * respect to a u of unit length. If the point is not found, fills NaN and returns false. */
bool abut_shape_smooth_own(const AbutShape *shape, const double u[3], double point[3], double bend[9]);

/* Returns whether the support function has a closed form. For other shapes (smooth shapes, intersections, conic data,
 * and sums that contain one of these) it is a convex program, which costs as much as the rest of a step. */
bool abut_shape_support_is_closed(const AbutShape *shape);

/* Finds the point furthest along u; |u| is about 1, and both are in the own frame. Not for halfspaces, which have a
 * furthest point only along their normal. */
void abut_shape_support_own(const AbutShape *shape, const double u[3], double point[3]);
