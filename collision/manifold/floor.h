/* Makes contact points of a side over a plane. */
#pragma once

#include "collision/manifold/axis.h"
#include "collision/manifold/support.h"

/* A plane below the contact points, and its border. */
typedef struct AbutManifoldFloor {
	int side, face;        /* the side that owns the plane; the face of its hull, or a number that is no face */
	double N[3], offset;   /* this side lies in N . p <= offset, world */
	int n_corners;         /* 0: no border */
	const double *corners; /* (n_corners x 3) counterclockwise seen against N, world */
} AbutManifoldFloor;

/* Makes contact points from the other side's patch, where it is at most `margin` above the floor. */
void abut_manifold_over(const AbutManifoldSide side[2], const AbutManifoldFloor *floor, AbutManifoldPolygon *patch,
                        double margin, AbutManifold *out);

/* Makes contact points above the face of an axis. */
void abut_manifold_clip(const AbutManifoldSide side[2], const AbutManifoldAxis *axis, double margin, AbutManifold *out);

/* Makes contact points over a halfspace, which is side `plane`. */
void abut_manifold_beside_plane(const AbutManifoldSide side[2], int plane, double margin, AbutManifold *out);
