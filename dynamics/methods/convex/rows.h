/* Builds the problem of solver/soft/soft_contact.h from an island's contact points, for the forward and the inverse
 * step. */
#pragma once

#include "dynamics/methods/convex/convex.h"
#include "dynamics/methods/manifold/island.h"
#include "solver/soft/soft_model.h"

/* Largest ratio of the rows of the soft problem to those of method lcp; a pyramid has four edges for three rows. */
enum { ABUT_CONVEX_POINT_ROWS = 2 };

/* Below this coefficient a friction cone is indistinguishable from a ray. */
static const double abut_convex_least_friction = 1e-5;

/* abut_convex_parameters returns solref and solimp in model units. abut_convex_distance returns the distance
 * at which they are evaluated for a gap: the gap minus the margin. */
AbutSoftParameters abut_convex_parameters(const AbutModel *model, const AbutSoftness *soft);
double abut_convex_distance(const AbutModel *model, const struct AbutPair *pair, double gap);

/* Returns J v of a row for the velocities before the step. */
double abut_convex_velocity_before(const AbutLcpIsland *island, const int body[2], const double J[12]);

/* Returns the acceleration of a body of the island without contact. */
double abut_convex_free_acceleration(const AbutLcpIsland *island, int body, int k);

/* Makes the island's problem in its room, without the held joints, and the bodies' inverse masses. The caller fills the
 * accelerations without contact. */
AbutSoftProblem abut_convex_problem(AbutLcpIsland *island);
/* Adds the joints, held as in the linear motion about the joints' solution; couplings follow (coupling.h). */
void abut_convex_add_joints(const AbutLcpIsland *island, AbutSoftProblem *problem);

/* Computes the impulses dt f of all points, in the axes of their contacts. Reads the room's soft.force and writes its
 * boxed.x. */
void abut_convex_impulses(const AbutLcpIsland *island, const AbutSoftProblem *problem);
