/* The collision problem of one contact, solved alone at the poses of the bodies. */
#ifndef DYNAMICS_SOLVE_COLLISION_ALONE_H
#define DYNAMICS_SOLVE_COLLISION_ALONE_H

#include "dynamics/island/island.h"

/* kappa of the collision problems of warm starts. */
#define ABUT_COLLISION_KAPPA 1e-8

/* Sets the poses of a contact's collision problem, at the start of the step or at the iterate, relative to the place of
 * side 0 at the start. */
void abut_step_scaling_poses(const AbutContactWork *contact, double timestep, bool at_start,
                             AbutScalingProblem *problem);
/* Solves for the collision part of a contact's y and z, at its present force. Leaves both unchanged if it fails. */
void abut_step_solve_collision(AbutIsland *island, const AbutContactWork *contact, double kappa);
/* Solves the problem from the start in `own`: y begins with p (from side 0's place at the start), alpha, eps, as in a
 * contact; z with the duals. Returns false if it does not converge. */
bool abut_step_resume_collision(AbutIsland *island, const AbutContactWork *contact, double kappa, AbutIterate *own);

#endif
