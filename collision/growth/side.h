/* A shape where it is, as the growth distance reads it, and its furthest points. */
#ifndef COLLISION_GROWTH_SIDE_H
#define COLLISION_GROWTH_SIDE_H

#include "abut/shape.h"
#include "shapes/support/support.h"

/* A bounded shape where it is. */
typedef struct AbutGrowthSide {
	const AbutShape *shape;
	double M[9];      /* from the shape's own frame to the world */
	double offset[3]; /* of the own frame's origin from the scaling centre, world, m */
	double centre[3]; /* scaling centre, world, m */
	double radii[3];  /* of the shape's round part, own frame, m; of a smooth shape, whose round part is all of it
	                     and  no ellipsoid, those of a ball that holds it */
} AbutGrowthSide;

/* Places a shape: `position` of its body's origin (world, m) and the rotation R from the body's frame to the world. */
void abut_growth_place(const AbutShape *shape, const double position[3], const double R[9], AbutGrowthSide *out);

/* Returns how far the shape reaches from its centre along n, of about unit length: the largest n . point. Writes that
 * point, about the centre (m, world). */
double abut_growth_reach(const AbutGrowthSide *side, const double n[3], double point[3]);

/* Finds the side's furthest point along u, |u| = 1, about its centre, with its piece, and the offset e of the point
 * from the middle of the shape's round part r, zero without one (world, m). Returns |r o u|, u in the shape's own
 * frame. */
double abut_growth_look(const AbutGrowthSide *side, const double u[3], AbutPiece *piece, double point[3], double e[3]);

#endif
