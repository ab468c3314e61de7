/* An island's contact points as a problem of solver/soft/soft_contact.h: what both directions of method convex share.
 */
#ifndef DYNAMICS_METHODS_CONVEX_ROWS_H
#define DYNAMICS_METHODS_CONVEX_ROWS_H

#include "dynamics/methods/convex/convex.h"
#include "dynamics/methods/manifold/island.h"
#include "solver/soft/soft_model.h"

/* Rows of the soft problem for one row of method lcp, at most: four edges for three. */
enum { ABUT_CONVEX_POINT_ROWS = 2 };

/* Below it a friction cone is too thin to be told from a ray. */
static const double abut_convex_least_friction = 1e-5;

/* solref and solimp of a pair in the model's units; and the distance that they are asked with, of a gap. */
AbutSoftParameters abut_convex_parameters(const AbutModel *model, const struct AbutPair *pair);
double abut_convex_distance(const AbutModel *model, const struct AbutPair *pair, double gap);

/* The problem of the island in its room, but for the accelerations without contact. Inverse masses of the bodies are
 * made. */
AbutSoftProblem abut_convex_problem(AbutLcpIsland *island);

/* dt f of all points, in the axes of their contacts, from the room's soft.force into its boxed.x. */
void abut_convex_impulses(const AbutLcpIsland *island, const AbutSoftProblem *problem);

#endif
