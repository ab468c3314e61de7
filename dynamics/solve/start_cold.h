/* Starts without a last solution. */
#pragma once

#include "dynamics/island/island.h"

/* Starts with bodies at rest, or with their present velocities if they have joints, and unit duals. */
void abut_step_start_cold(AbutIsland *island);
/* Sets the joints' unknowns from their last solution, or without one to zero impulses. */
void abut_step_start_joints(AbutIsland *island);
/* Starts a contact without force, from its collision problem, which is solved alone at `kappa`. */
void abut_step_start_contact(AbutIsland *island, const AbutContactWork *contact, double kappa);
/* Starts from free flight: solves each contact's collision problem alone at the resulting poses, then smooths
 * everything. Slower than the cold start, but often succeeds where the cold start fails. */
void abut_step_start_apart(AbutIsland *island);
/* Starts as abut_step_start_apart does, but with the bodies at rest. */
void abut_step_start_still(AbutIsland *island);
