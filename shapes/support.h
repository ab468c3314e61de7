/* Support functions in the shape's own frame, for inner loops. */
#ifndef SHAPES_SUPPORT_H
#define SHAPES_SUPPORT_H

#include "abut/shape.h"

/* Every bounded shape is the hull of finitely many pieces, each a centre with the shape's one round part about it: a
 * vertex of a padded polytope and its ball, the end of a cylinder and its disc. */
typedef struct AbutPiece {
	int index;  /* which of the shape's pieces */
	bool round; /* false where it is its centre alone: all of boxes and polytopes, and the apex of a cone */
	double centre[3];
} AbutPiece;

typedef enum AbutRound {
	ABUT_ROUND_NONE,
	ABUT_ROUND_BALL,      /* of radius size[0] */
	ABUT_ROUND_DISC,      /* across z, of radius size[0] */
	ABUT_ROUND_ELLIPSOID, /* of radii size */
} AbutRound;

AbutRound abut_shape_round(const AbutShape *shape);

/* The piece that is furthest along u; |u| is about 1. */
void abut_shape_piece_own(const AbutShape *shape, const double u[3], AbutPiece *out);

/* The point (3) of the round part, about its centre, that is furthest along u, of any length; zero for none, and for a
 * disc along z. */
void abut_shape_round_own(const AbutShape *shape, const double u[3], double point[3]);

/* How that point changes with u: the second derivative of the round part's support function, symmetric
 * [xx, xy, xz, yy, yz, zz]. */
void abut_shape_bend_own(const AbutShape *shape, const double u[3], const double point[3], double bend[6]);

/* `point` (3): a point of the shape that is furthest along u, both in the own frame; |u| is about 1. Not for
 * halfspaces, whose furthest point exists along their normal alone. */
void abut_shape_support_own(const AbutShape *shape, const double u[3], double point[3]);

#endif
