/* Computes the inverse mass of a body for the methods lcp and convex, and the derivative of its free flight. */
#pragma once

#include "dynamics/methods/manifold/island.h"

/* Computes M^-1 of a body; of a planar body only the part in its plane. */
void abut_lcp_invert_mass(const AbutBodyWork *body, AbutLcpBody *out);
/* Computes the angular block of the jacobian of the body's balance at the velocities `y`, row-major. */
void abut_lcp_flight_block(const AbutBodyWork *body, double timestep, const double y[6], double D[9]);
