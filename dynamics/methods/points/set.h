/* Makes the contact points of parts in method point-ncp: points fixed to the body with a radius about each, or a plane
 * (docs/formulation.md, the point-ncp method). These pairs have gaps in closed form:
 *
 *     a halfspace and    the corners of a box or polytope, the centre of a sphere, both ends of a capsule
 *     a sphere and       a sphere, the axis of a capsule, a box or polytope
 *     two capsules,      the ends and corners of each beside the axis or a face of the other, and the
 *     boxes, polytopes   crossings of their axes and edges (dynamics/methods/points/cross.h)
 *
 * Tested in tests/dynamics/methods/points/test_point_ncp.c, test_point_ncp_hulls.c and test_point_ncp_lines.c. */
#pragma once

#include "dynamics/model/pair.h"
#include "shapes/hull/hull.h"

typedef enum AbutPointKind {
	ABUT_POINT_NONE, /* for shapes without points, or other methods */
	ABUT_POINT_PLANE,
	ABUT_POINT_CORNERS,
	ABUT_POINT_BALL,
	ABUT_POINT_ROD
} AbutPointKind;

typedef struct AbutPointSet {
	AbutPointKind kind;
	int n;                    /* number of points: corners of a hull, 1 of a ball, 2 ends of a rod, 0 of a plane */
	double *points;           /* (n x 3) body axes, about the centre of mass, model units; owned */
	double radius;            /* radius about each point */
	AbutHull *hull;           /* hull of the corners, with offsets normal . p; owned */
	double slack;             /* length over which points beside a face or beyond a line's end are released
	                             (dynamics/methods/points/face.h) */
	double normal[3], offset; /* plane only: normal . p <= offset, in the axes of the points */
} AbutPointSet;

enum { ABUT_POINT_CROSSINGS = 4 }; /* most crossings of a pair: two bars across each other have four */

/* Makes the points of all parts of a model, or refuses the first part whose shape has no points. */
AbutStatus abut_point_sets_create(AbutModel *model, AbutError *error);
void abut_point_sets_destroy(AbutModel *model);

/* Returns the points of a part. */
static inline const AbutPointSet *abut_point_set(const AbutModel *model, int part)
{
	return &((const AbutPointSet *)model->method_parts)[part];
}

/* Set the sizes of a pair, and return the room for a number of contacts. */
void abut_points_size(const AbutModel *model, AbutPair *pair);
AbutRoom abut_points_room(const AbutModel *model, int contacts);

/* The largest numbers of points of a pair: points of each side beside the other side, and crossings of lines. */
typedef struct AbutPointCounts {
	int own[2], crossings;
} AbutPointCounts;
AbutPointCounts abut_point_counts(const AbutModel *model, const AbutPair *pair);

/* Returns the sum of a pair's counts. */
int abut_point_count(const AbutModel *model, const AbutPair *pair);
