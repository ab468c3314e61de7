/* Finds the accelerations that bodies have while the rates of their joints stay the same. MuJoCo leaves them out of the
 * accelerations of its rows: with the coordinates q, a row J dv/dt of velocities v = T(q) q' counts as J T q'' instead
 * of J (T q'' + T' q'). Over a step from q, with mean velocities v0 of the step before and v+,
 *
 *     J T q'' = J (v+ - v0) / dt - J c,    c = ((v+ - T q+') - (v0 - T q0')) / dt.
 *
 * T is that of the pose at the start. The coordinates are those of the joints, from body to body along a tree of each
 * mechanism, and for the first body of a tree that is not tied to the world the place of its frame and its turn. Rods
 * and joints that close loops are not part of a tree. For a body without joints, c is 0.
 *
 * Tested in tests/peers/test_convex_robots.c. */
#pragma once

#include "dynamics/methods/convex/convex.h"

/* Computes c (6 n_moving) at the joints' solution of the island. */
void abut_convex_find_convection(const AbutLcpIsland *island);
/* Returns J T q+' of a row of two bodies, with the velocities for which c was computed last. */
double abut_convex_rate_along(const AbutLcpIsland *island, const AbutLcpRow *row);
