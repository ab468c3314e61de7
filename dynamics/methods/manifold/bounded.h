/* Bounded impulses of joints as rows of a boxed LCP: dry friction, limited servos and limits of single freedoms.
 * Without these rows, the turns between contacts and joints would have to guess which of them are at a bound
 * (dynamics/methods/manifold/jointed.h). With the rate c' of a freedom, whose row at the start is J, about a solution
 * of the joints with the velocities v_k and the rate c'_k:
 *
 *     friction   -dt f <= x <= dt f      w = c'                        c' = c'_k + J (v - v_k)
 *     servo      -dt f <= x <= dt f      w = c' - u + x / K
 *     limit      0 <= x                  w = (c+ - lower) / dt, (upper - c+) / dt
 *
 * with the symbols of dynamics/joint/law.h. The impulses of these rows do not load the joints, whose own solution finds
 * them anew. What the spins of a ball share has no box, and stays in H.
 *
 * Tested in tests/dynamics/methods/joints/test_method_bounded.c. */
#pragma once

#include "dynamics/methods/manifold/island.h"

/* Returns the most rows that the joints of an island need. */
int abut_bounded_most(const AbutModel *model, int n_joints);
/* Appends the rows at the joints' solution to those of the island, and counts them. columns.x receives the impulses. */
void abut_bounded_add(AbutLcpIsland *island);
/* Returns the stiffness in H of a freedom's laws that have no rows. */
double abut_bounded_stiffness(const AbutLcpIsland *island, const AbutJointWork *joint, int axis);
/* Sets bounds, guess and b of the rows, and adds compliances to A. */
void abut_bounded_fill(const AbutLcpIsland *island);
