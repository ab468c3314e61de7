/* The velocity of a body that touches nothing. */
#ifndef DYNAMICS_BODY_FLIGHT_H
#define DYNAMICS_BODY_FLIGHT_H

#include "dynamics/body/body.h"
#include "solver/ncp/newton.h"

/* Solves for the velocity without contact, y, from the spin in it on; the body moves there. False where the turn is too
 * large, or not found. */
bool abut_body_fly(AbutBodyWork *body, double timestep, double y[6], AbutSolveReport *report);

#endif
