/* Solves islands with joints for the methods lcp and convex (docs/formulation.md 16). The joints hold at the end of the
 * step, exactly as with method single-level: the bodies and joints are an island without contacts, on which the
 * impulses x of the contact points act as a part of the momentum,
 *
 *     balances and joints of (v+) = J' x.
 *
 * The rule of the method gives x for the linear motion v_k + H^-1 J' (x - x_k) about a solution (v_k, x_k), and both
 * problems are solved in turns until the velocities J v+ are those for which the rule found x. H is the inertia plus S
 * g' g of the joints' rows g at the start of the step, with their stiffness S, so H^-1 is symmetric. At the end, joints
 * and contacts hold as exactly as each alone.
 *
 * Tested in tests/dynamics/methods/joints/test_method_joints.c. */
#pragma once

#include "dynamics/methods/manifold/island.h"

/* Reserves a room's memory for the columns of islands with joints, with this number of bodies and rows. */
AbutStatus abut_jointed_reserve(AbutLcpRoom *room, int n_bodies, int rows);
void abut_jointed_destroy(AbutLcpRoom *room);

/* Solves the island. The velocities `next` are those at the end of the step, and boxed.x are the impulses. Returns
 * false if there is no solution. */
bool abut_jointed_solve(AbutLcpIsland *island, AbutStepInfo *info);

/* Adds the impulses boxed.x of all rows, less those in columns.x that act already, to the momenta of the bodies. */
void abut_jointed_load(const AbutLcpIsland *island);

/* Computes S of a joint's rows at the joints' solution. */
void abut_jointed_stiffness(const AbutLcpIsland *island, int joint, double *S);
/* Returns S of a coupling. */
double abut_jointed_coupling_stiffness(const AbutCouplingWork *coupling);
/* Computes A = J H^-1 J' (n_rows x n_rows); J M^-1 J' in an island without joints. */
void abut_lcp_island_matrix(const AbutLcpIsland *island, double *A);
/* Computes `next` = v_k + H^-1 J' (x - x_k). */
void abut_jointed_push(const AbutLcpIsland *island);
