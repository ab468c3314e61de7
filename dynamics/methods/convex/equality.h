/* Joints that springs hold in method convex, as MuJoCo's connect and weld (docs/formulation.md 15): soft rows that also
 * pull. With d the way from the parent's to the child's anchor and Q the turn between their frames,
 *
 *     rows      of d, world axes; of a fixed joint also of the vector part of the quaternion Q, that is sin(angle / 2)
 *     distance  each row's value; the impedance of all rows is that of the length of all values together (m)
 *     softness  R = A (1 - d) / d, with A the sum of the mobilities of both bodies (dynamics/joint/mobility.h)
 *
 * Tested in tests/dynamics/methods/convex/test_convex_equality.c and tests/peers/test_convex_robots.c. */
#pragma once

#include "dynamics/methods/convex/rows.h"

enum { ABUT_EQUALITY_ROWS = 6 };

/* The rows of a joint at the start of the step. */
typedef struct AbutConvexEquality {
	AbutJointWork *joint;
	int n;
	double value[ABUT_EQUALITY_ROWS]; /* lengths in model units */
	AbutJointColumns row[ABUT_EQUALITY_ROWS];
} AbutConvexEquality;

/* Finds the equalities of the island, for the functions below. Call it once the island is set up. */
void abut_convex_find_equalities(const AbutLcpIsland *island);
/* Returns the most rows that so many joints need. */
int abut_convex_equality_rows(const AbutModel *model, int n_joints);
/* Appends the rows to those of the island, and counts them. */
void abut_convex_add_equality_rows(AbutLcpIsland *island);
/* Appends the rows to those of the island as above, and their points to the problem. */
void abut_convex_add_equalities(AbutLcpIsland *island, AbutSoftProblem *problem);
/* Stores impulses from the island's row `row` on in the memory of the joints after a step. */
void abut_convex_keep_equalities(const AbutLcpIsland *island, int row);
