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
/* Stores the efforts in the memory of the joints after a step. Returns the index of the next row of the island. */
int abut_convex_keep_laws(const AbutLcpIsland *island);
