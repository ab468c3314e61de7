/* An island's contact points as a problem of solver/soft/soft_contact.h, for the forward and the inverse step. */
#ifndef DYNAMICS_METHODS_CONVEX_ROWS_H
#define DYNAMICS_METHODS_CONVEX_ROWS_H

#include "dynamics/methods/convex/convex.h"
#include "dynamics/methods/manifold/island.h"
#include "solver/soft/soft_model.h"

/* Most rows of the soft problem for one row of method lcp: four edges for three. */
enum { ABUT_CONVEX_POINT_ROWS = 2 };

/* Below this coefficient a friction cone is indistinguishable from a ray. */
static const double abut_convex_least_friction = 1e-5;

/* Returns solref and solimp of a pair in the model's units, and the distance at which they are evaluated for a gap. */
AbutSoftParameters abut_convex_parameters(const AbutModel *model, const struct AbutPair *pair);
double abut_convex_distance(const AbutModel *model, const struct AbutPair *pair, double gap);

/* Makes the island's problem in its room, except for the accelerations without contact, and the bodies' inverse masses.
 */
AbutSoftProblem abut_convex_problem(AbutLcpIsland *island);

/* Computes dt f of all points, in the axes of their contacts, from the room's soft.force into its boxed.x. */
void abut_convex_impulses(const AbutLcpIsland *island, const AbutSoftProblem *problem);

#endif
