/* Support functions in the shape's own frame, for inner loops. */
#ifndef SHAPES_SUPPORT_SUPPORT_H
#define SHAPES_SUPPORT_SUPPORT_H

#include "abut/shape.h"
#include "base/vec3.h"

/* Every bounded shape is the hull of finitely many pieces, each a centre with the shape's one round part about it: a
 * vertex of a padded polytope and its ball, an end of a cylinder and its disc. */
typedef struct AbutPiece {
	int index;  /* which of the shape's pieces */
	bool round; /* false where it is its centre alone: all of boxes and polytopes, and the apex of a cone */
	double centre[3];
} AbutPiece;

/* Whether the shape is one of few pieces that `index` tells apart. The others (general sums, intersections, conic data)
 * are known by their furthest points alone, each a piece of its own. */
bool abut_shape_has_pieces(const AbutShape *shape);

/* The piece that is furthest along u; |u| is about 1. */
void abut_shape_piece_own(const AbutShape *shape, const double u[3], AbutPiece *out);

/* The round part as an ellipsoid along the axes, by its radii: (R, R, R) for a ball, (R, R, 0) for a disc across z,
 * zeros for none. */
void abut_shape_radii(const AbutShape *shape, double r[3]);

/* Adds the point of such an ellipsoid that is furthest along u, r o (r o u) / |r o u|; nothing where r o u vanishes.
 * Returns |r o u|, which is how far it reaches. */
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

/* Of a smooth shape: its point that is furthest along u, and how that moves with u of unit length (symmetric; NULL:
 * not asked for). NaN, and false, where its functions do not lead there. */
bool abut_shape_smooth_own(const AbutShape *shape, const double u[3], double point[3], double bend[9]);

/* Whether the support function is a closed form. That of the others (smooth shapes, intersections, conic data, and sums
 * that have one of these) is a convex program, which costs as much as a whole step of the rest. */
bool abut_shape_support_is_closed(const AbutShape *shape);

/* `point` (3): a point of the shape that is furthest along u, both in the own frame; |u| is about 1. Not for
 * halfspaces, whose furthest point exists along their normal alone. */
void abut_shape_support_own(const AbutShape *shape, const double u[3], double point[3]);

#endif
