/* Defines the fields of an AbutCollision, and solves its queries. A halfspace, which does not scale, is always side 1;
 * `flipped` is true if it is the user's a. Lengths are divided by `unit`, the sum of the outer radii, so that kappa has
 * no unit. */
#pragma once

#include "abut/collide.h"
#include "collision/growth/growth.h"
#include "collision/scaling/scaling.h"

struct AbutCollision {
	AbutShape *shape[2];
	bool flipped;
	double unit;                    /* m */
	double position[2][3], R[2][9]; /* poses of the sides in the last query: position (m) and rotation, world */
	double base[3];                 /* position of side 0 (m, world), the origin of the conic problem */
	AbutGrowthSide placed[2];
	AbutConicRows rows[2];
	AbutScalingProblem problem;
	AbutNcp ncp;
	AbutIterate iterate;
	AbutGrowthContact contact; /* bounded pairs: start of the next query */
	bool directed;             /* the normal of the last solution is known */
	double kappa;              /* kappa that the iterate solves for the last query; 0: none */
	void *memory;
};

/* Solves the exact query by the fastest method for the two shapes, which must be placed. Returns false if it is not
 * solved. Fills all of `out`, with the normal from side 0 to side 1. */
bool abut_collision_exact(AbutCollision *collision, AbutCollisionResult *out);

/* Follows the path to kappa. If rounding stops the path, returns the exact answer. */
bool abut_collision_relaxed(AbutCollision *collision, double kappa, AbutCollisionResult *out);
