/* Makes the rows of the problem from contact points. Computes the inverse mass of a body for the methods lcp and
 * convex, and the derivative of its free flight. */
#pragma once

#include "dynamics/methods/manifold/island.h"

/* Sets the poses of both sides of a pair to those at the start of the step. */
void abut_lcp_sides(const AbutModel *model, const AbutPair *pair, const AbutBodyWork *bodies, AbutManifoldSide side[2]);

/* Makes the contact's rows; `rows` is its first one. */
void abut_lcp_rows(const AbutPair *pair, const AbutBodyWork *bodies, const AbutLcpBody *lcp_bodies,
                   const AbutLcpContact *contact, AbutLcpRow *rows);

/* Returns J v of a row, for the velocities after the step (`after`) or those of free flight. */
double abut_lcp_velocity_along(const AbutLcpIsland *island, const AbutLcpRow *row, bool after);

/* Computes A = J M^-1 J' of n rows. */
void abut_lcp_matrix(int n, const AbutLcpRow *rows, double *A);

/* Returns how far a point may move towards the other side in the step, as the option `lcp_gap` says. With "bounded",
 * overlap is undone at a bounded speed: if the deepest point could not leave at this speed, the whole manifold is moved
 * back by the excess. `deepest` (may be NULL) is then that point, otherwise -1. */
double abut_lcp_gap(const AbutModel *model, const AbutManifold *manifold, int point, int *deepest);
/* Computes mass and inertia. A planar body has no rows out of its plane, so its inertia there may have any value. */
void abut_lcp_mass(const AbutBodyWork *body, double mass[36]);
/* Computes M^-1 of a body; of a planar body only the part in its plane. */
void abut_lcp_invert_mass(const AbutBodyWork *body, AbutLcpBody *out);
/* Computes the angular block of the jacobian of the body's balance at the velocities `y`, row-major. */
void abut_lcp_flight_block(const AbutBodyWork *body, double timestep, const double y[6], double D[9]);
