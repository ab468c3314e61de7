/* Solves islands with joints for the methods lcp and convex (docs/formulation.md 16). The joints hold at the end of the
 * step, exactly as with method single-level: the bodies and joints are an island without contacts, on which the
 * impulses x of the contact points act as a part of the momentum,
 *
 *     balances and joints of (v+) = J' x.
 *
 * The rule of the method gives x for the linear motion v_k + H^-1 J' (x - x_k) about a solution (v_k, x_k)
 * (dynamics/methods/manifold/columns.h), and both problems are solved in turns until the velocities J v+ are those for
 * which the rule found x. At the end, joints and contacts hold as exactly as each alone. Rules with a boxed LCP also
 * take the bounded impulses of joints into it (dynamics/methods/manifold/bounded.h), and have two plans for turns that
 * stall: rigid joints with impulses near the last ones, then corrections (dynamics/methods/manifold/secant.h).
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

/* Takes the impulses of rows off the bodies' full momenta, as they do not turn with a body at the start; for
 * derivatives. */
void abut_jointed_unload(const AbutLcpIsland *island);

/* Returns J v of a row, with the velocities of the joints' solution. */
double abut_jointed_velocity_along(const AbutLcpIsland *island, const AbutLcpRow *row);
/* Computes `next` = v_k + H^-1 J' (x - x_k). */
void abut_jointed_push(const AbutLcpIsland *island);
