/* Makes the rows of the problem from contact points. */
#pragma once

#include "dynamics/methods/manifold/island.h"

/* Sets the poses of both sides of a pair to those at the start of the step. */
void abut_lcp_sides(const AbutModel *model, const AbutPair *pair, const AbutBodyWork *bodies, AbutManifoldSide side[2]);

/* Makes the contact's rows; `rows` is its first one. */
void abut_lcp_rows(const AbutPair *pair, const AbutBodyWork *bodies, const AbutLcpBody *lcp_bodies,
                   const AbutLcpContact *contact, AbutLcpRow *rows);

/* Computes A = J M^-1 J' of n rows. */
void abut_lcp_matrix(int n, const AbutLcpRow *rows, double *A);

/* Returns how far a point may move towards the other side in the step, as the option `lcp_gap` says. With "bounded",
 * overlap is undone at a bounded speed: if the deepest point could not leave at this speed, the whole manifold is moved
 * back by the excess. `deepest` (may be NULL) is then that point, otherwise -1. */
double abut_lcp_gap(const AbutModel *model, const AbutManifold *manifold, int point, int *deepest);
