/* Contact points of a side over a plane. */
#ifndef COLLISION_MANIFOLD_FLOOR_H
#define COLLISION_MANIFOLD_FLOOR_H

#include "collision/manifold/axis.h"
#include "collision/manifold/patch.h"

/* A plane that points lie over, and its border. */
typedef struct AbutManifoldFloor {
	int side, face;        /* whose; of its hull, or a number of no face */
	double N[3], offset;   /* the side lies in N . p <= offset, world */
	int n_corners;         /* 0: without border */
	const double *corners; /* (n_corners x 3) counterclockwise against N, world */
} AbutManifoldFloor;

/* Points of the patch of the other side over the floor, at most `margin` above it. */
void abut_manifold_over(const AbutManifoldSide side[2], const AbutManifoldFloor *floor, AbutManifoldPolygon *patch,
                        double margin, AbutManifold *out);

/* The same over a face. */
void abut_manifold_clip(const AbutManifoldSide side[2], const AbutManifoldAxis *axis, double margin, AbutManifold *out);

/* Makes the points beside a halfspace, which is side `plane`. */
void abut_manifold_beside_plane(const AbutManifoldSide side[2], int plane, double margin, AbutManifold *out);

#endif
