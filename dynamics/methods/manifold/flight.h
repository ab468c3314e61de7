/* The derivative of the balance of free flight by the velocities. */
#ifndef DYNAMICS_METHODS_MANIFOLD_FLIGHT_H
#define DYNAMICS_METHODS_MANIFOLD_FLIGHT_H

#include "dynamics/body/body.h"

/* Computes the angular block of the balance of free flight at the velocities `y`, row-major. */
void abut_lcp_flight_block(const AbutBodyWork *body, double timestep, const double y[6], double D[9]);

#endif
