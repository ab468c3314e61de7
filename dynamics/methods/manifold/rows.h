/* Makes contact points rows of the problem. */
#pragma once

#include "dynamics/methods/manifold/island.h"

/* Places a side of a pair where its body was at the start of the step. */
void abut_lcp_sides(const AbutModel *model, const AbutPair *pair, const AbutBodyWork *bodies, AbutManifoldSide side[2]);

/* Makes the contact's rows, starting at its first one. */
void abut_lcp_rows(const AbutPair *pair, const AbutBodyWork *bodies, const AbutLcpBody *lcp_bodies,
                   const AbutLcpContact *contact, AbutLcpRow *rows);

/* Computes A = J M^-1 J' of n rows. */
void abut_lcp_matrix(int n, const AbutLcpRow *rows, double *A);

/* Returns how far a point may move towards the other side in the step, by `lcp_gap`. With `bounded`, a manifold whose
 * deepest point could not leave at the bounded speed is moved back by the excess, as a plane of the single-level path
 * is; `deepest` (may be NULL) is then that point, otherwise -1. */
double abut_lcp_gap(const AbutModel *model, const AbutManifold *manifold, int point, int *deepest);
