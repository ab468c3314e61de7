/* Contact points of a side over a plane. */
#ifndef COLLISION_MANIFOLD_FLOOR_H
#define COLLISION_MANIFOLD_FLOOR_H

#include "collision/manifold/axis.h"
#include "collision/manifold/support.h"

/* A plane below the points, and its border. */
typedef struct AbutManifoldFloor {
	int side, face;        /* its side; the face of that side's hull, or a number that is no face */
	double N[3], offset;   /* the side lies in N . p <= offset, world */
	int n_corners;         /* 0: no border */
	const double *corners; /* (n_corners x 3) counterclockwise looking against N, world */
} AbutManifoldFloor;

/* Makes the points of the other side's patch above the floor, at most `margin` above it. */
void abut_manifold_over(const AbutManifoldSide side[2], const AbutManifoldFloor *floor, AbutManifoldPolygon *patch,
                        double margin, AbutManifold *out);

/* Makes the points above a face. */
void abut_manifold_clip(const AbutManifoldSide side[2], const AbutManifoldAxis *axis, double margin, AbutManifold *out);

/* Makes the points beside a halfspace, which is side `plane`. */
void abut_manifold_beside_plane(const AbutManifoldSide side[2], int plane, double margin, AbutManifold *out);

#endif
