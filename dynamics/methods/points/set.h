/* The points of a part in method point-ncp: fixed to it, with a radius about each, or a plane (docs/formulation.md, the
 * point-ncp method). Gaps are in closed form between
 *
 *     a halfspace and     the corners of a box or polytope, the centre of a sphere, both ends of a capsule
 *     a sphere and        a sphere, the axis of a capsule, a box or polytope
 *     of capsules, boxes  ends and corners of each beside the axis of the other, or beside a face of it; and where
 *     and polytopes two   axes and edges of the two cross (dynamics/methods/points/cross.h)
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
	int n;          /* corners; 1 of a ball, 2 ends of a rod, 0 of a plane */
	double *points; /* (n x 3) body axes, about the centre of mass, model units; owned */
	double radius;  /* radius about each point */
	AbutHull *hull; /* hull of corners; its offsets are normal . p; owned */
	double slack; /* how fast others are released beside a face (dynamics/methods/points/face.h) or beyond a line's
	                 end */
	double normal[3], offset; /* of a plane: normal . p <= offset, like the points */
} AbutPointSet;

enum { ABUT_POINT_CROSSINGS = 4 }; /* most crossings of a pair: two bars across each other have four */

/* Makes the points of all parts of a model, or refuses the first part that has none. */
AbutStatus abut_point_sets_create(AbutModel *model, AbutError *error);
void abut_point_sets_destroy(AbutModel *model);

/* Returns the points of a part. */
static inline const AbutPointSet *abut_point_set(const AbutModel *model, int part)
{
	return &((const AbutPointSet *)model->method_parts)[part];
}

/* Set the sizes of a pair, and return the room for so many contacts. */
void abut_points_size(const AbutModel *model, AbutPair *pair);
AbutRoom abut_points_room(const AbutModel *model, int contacts);

/* The most points of a pair: points of either side beside the other, and crossings of lines. */
typedef struct AbutPointCounts {
	int own[2], crossings;
} AbutPointCounts;
AbutPointCounts abut_point_counts(const AbutModel *model, const AbutPair *pair);

/* Returns the sum of a pair's counts. */
int abut_point_count(const AbutModel *model, const AbutPair *pair);
