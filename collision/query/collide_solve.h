/* The inside of an AbutCollision. A halfspace, which does not scale, is always side 1: `flipped` if it is the user's a.
 * Lengths are divided by `unit`, the sum of the outer radii, so that kappa has no unit. */
#ifndef COLLISION_QUERY_COLLIDE_SOLVE_H
#define COLLISION_QUERY_COLLIDE_SOLVE_H

#include "abut/collide.h"
#include "collision/growth/growth.h"
#include "collision/scaling/scaling.h"

struct AbutCollision {
	AbutShape *shape[2];
	bool flipped;
	double unit;                    /* m */
	double position[2][3], R[2][9]; /* of the sides in the last query, m, world */
	double base[3];                 /* position of side 0, m, world: the origin of the conic problem's places */
	AbutGrowthSide placed[2];
	AbutConicRows rows[2];
	AbutScalingProblem problem;
	AbutNcp ncp;
	AbutIterate iterate;
	AbutGrowthContact contact; /* bounded pairs: the start of the next query */
	bool directed;             /* the last solution's multipliers have a direction */
	double kappa;              /* at which the iterate solves the last query; 0: at none */
	void *memory;
};

/* Solves the exact query by the shortest way for the two shapes, which are placed. Returns false if it is not solved.
 * Fills all of `out`, with the normal from side 0 to side 1. */
bool abut_collision_exact(AbutCollision *collision, AbutCollisionResult *out);

/* Follows the path to kappa, or returns the exact answer if rounding ends the path. */
bool abut_collision_relaxed(AbutCollision *collision, double kappa, AbutCollisionResult *out);

#endif
