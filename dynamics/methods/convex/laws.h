/* Limits and dry friction of joints in method convex with springs: soft rows of single freedoms, as in MuJoCo
 * (docs/formulation.md 15). Limits push while the coordinate c is beyond them at the start of a step, as contacts do.
 * Dry friction is a spring without a rest position, whose effort is at most the bound F:
 *
 *     row       J = +-g, the rate of the freedom      distance   c - lower, upper - c, minus the margin; 0 for friction
 *     softness  R = A (1 - d) / d                     A          mobility of the freedom (dynamics/joint/mobility.h)
 *
 * with the springs of the joint (abut/joint.h). Friction uses b only. What acts on balls is not soft.
 *
 * Tested in tests/dynamics/methods/convex/test_convex_joints.c and tests/peers/test_convex_robots.c. */
#pragma once

#include "dynamics/methods/convex/rows.h"

/* Returns the most rows that the laws of so many joints need. */
int abut_convex_law_rows(const AbutModel *model, int n_joints);
/* Appends the rows of the laws to those of the island, and counts them. */
void abut_convex_add_law_rows(AbutLcpIsland *island);
/* Appends the rows to those of the island as above, and their points to the problem. */
void abut_convex_add_laws(AbutLcpIsland *island, AbutSoftProblem *problem);
/* How a law that acts depends on the motion; with s = -1 for upper limits and 1 otherwise, its impulse on the
 * coordinate changes by s dx = -H (dr+ - dr) - dt b H d(J v0) + by_start dc (docs/formulation.md 15). */
typedef struct AbutConvexLawSlope {
	AbutJointWork *joint;
	int axis;
	double impulse; /* on the coordinate */
	double H, b, by_start;
	bool kinks;   /* the derivative is one-sided */
	bool in_tree; /* J T q' of its row (convection.h) is the rate of its joint, which is not part of a loop */
} AbutConvexLawSlope;

/* Returns the number of the island's rows of contacts, which precede those of the laws. */
int abut_convex_contact_rows(const AbutLcpIsland *island);
/* Computes the slopes of the laws that act on the island, at the solution, to the laws of its room. */
void abut_convex_find_slopes(const AbutLcpIsland *island);
/* Stores the efforts in the memory of the joints after a step. Returns the index of the next row of the island. */
int abut_convex_keep_laws(const AbutLcpIsland *island);
