/* The cold start. */
#pragma once

#include "dynamics/island/island.h"

/* Starts with bodies at rest and unit duals. */
void abut_step_start_cold(AbutIsland *island);
/* Starts a contact without force, from its collision problem, which is solved alone at `kappa`. */
void abut_step_start_contact(AbutIsland *island, const AbutContactWork *contact, double kappa);
