/* Makes contact points rows of the problem. Computes the inverse mass of a body, and the derivative of its free flight.
 */
#pragma once

#include "dynamics/methods/manifold/island.h"

/* Places a side of a pair where its body was at the start of the step. */
void abut_lcp_sides(const AbutModel *model, const AbutPair *pair, const AbutBodyWork *bodies, AbutManifoldSide side[2]);

/* Makes the contact's rows, starting at its first one. */
void abut_lcp_rows(const AbutPair *pair, const AbutBodyWork *bodies, const AbutLcpBody *lcp_bodies,
                   const AbutLcpContact *contact, AbutLcpRow *rows);

/* Returns J v of a row, for the velocities after the step (`after`) or those of free flight. */
double abut_lcp_velocity_along(const AbutLcpIsland *island, const AbutLcpRow *row, bool after);

/* Computes A = J M^-1 J' of n rows. */
void abut_lcp_matrix(int n, const AbutLcpRow *rows, double *A);

/* Returns how far a point may move towards the other side in the step, by `lcp_gap`. With `bounded`, a manifold whose
 * deepest point could not leave at the bounded speed is moved back by the excess, as a plane of the single-level path
 * is; `deepest` (may be NULL) is then that point, otherwise -1. */
double abut_lcp_gap(const AbutModel *model, const AbutManifold *manifold, int point, int *deepest);
/* Computes M^-1 of a body, for a planar one only in its plane. */
void abut_lcp_invert_mass(const AbutBodyWork *body, AbutLcpBody *out);
/* Computes the angular block of the balance of free flight at the velocities `y`, row-major. */
void abut_lcp_flight_block(const AbutBodyWork *body, double timestep, const double y[6], double D[9]);
