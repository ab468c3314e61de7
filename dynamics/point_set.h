/* What method point-ncp knows of a part: points fixed to it with a radius about each, or a plane (docs/formulation.md,
 * the point-ncp method). Gaps are in closed form between
 *
 *   a halfspace and   the corners of a box or polytope, the centre of a sphere, both ends of a capsule
 *   a sphere and      a sphere, the axis of a capsule, a box or polytope
 *   two boxes or polytopes: corners of each beside a face of the other
 *
 * and between no others: the pair is refused when the model is made. Edges of two hulls that cross are not seen. Tested
 * in tests/dynamics/test_point_ncp.c and test_point_ncp_hulls.c. */
#ifndef DYNAMICS_POINT_SET_H
#define DYNAMICS_POINT_SET_H

#include "abut/model.h"
#include "shapes/hull.h"

struct AbutPair;

typedef enum AbutPointKind {
	ABUT_POINT_NONE, /* of a shape that has none, or of another method */
	ABUT_POINT_PLANE,
	ABUT_POINT_CORNERS,
	ABUT_POINT_BALL,
	ABUT_POINT_ROD
} AbutPointKind;

typedef struct AbutPointSet {
	AbutPointKind kind;
	int n;                    /* corners; 1 of a ball, 2 ends of a rod, 0 of a plane */
	double *points;           /* (n x 3) body axes, about the centre of mass, model units; owned */
	double radius;            /* about each */
	AbutHull *hull;           /* of corners; its offsets are normal . p; owned */
	double slack;             /* how fast corners of others are let go beside a face (point_face.h) */
	double normal[3], offset; /* of a plane: normal . p <= offset, like the points */
} AbutPointSet;

void abut_point_set_destroy(AbutPointSet *set);

/* The points of all parts of a model; refuses the first part that has none. */
AbutStatus abut_point_sets_create(AbutModel *model, AbutError *error);

/* Refuses the first two parts that may touch and have no gap in closed form. */
AbutStatus abut_point_pairs_check(const AbutModel *model, AbutError *error);

/* How many points of contact a pair has. */
int abut_point_count(const AbutModel *model, const struct AbutPair *pair);

/* A pair's unknowns in this method, of n points: gamma of each, and friction as its tail has it. */
void abut_point_sizes(int n, AbutFrictionCone cone, struct AbutPair *pair);

#endif
