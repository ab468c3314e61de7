/* The collision problem of one contact, solved alone at the poses of the bodies. */
#pragma once

#include "dynamics/island/island.h"

/* kappa of the collision problems of warm starts. */
#define ABUT_COLLISION_KAPPA 1e-8

/* Sets the poses of a contact's collision problem, at the start of the step or at the iterate. Positions are relative
 * to that of side 0 at the start. */
void abut_step_scaling_poses(const AbutContactWork *contact, double timestep, bool at_start,
                             AbutScalingProblem *problem);
/* Solves the collision problem alone and writes its solution to the contact's y and z; the impulses are not changed.
 * Leaves y and z unchanged if the solve fails. */
void abut_step_solve_collision(AbutIsland *island, const AbutContactWork *contact, double kappa);
/* Solves the problem from the start in `own`. Its y begins with p (from the position of side 0 at the start of the
 * step), alpha and eps, as in a contact; its z holds the duals. Returns false if the solve does not converge. */
bool abut_step_resume_collision(AbutIsland *island, const AbutContactWork *contact, double kappa, AbutIterate *own);
