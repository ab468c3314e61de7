/* The mass of a body as the methods lcp and convex see it, and the derivative of its free flight. */
#pragma once

#include "dynamics/methods/manifold/island.h"

/* Computes M^-1 of a body, for a planar one only in its plane. */
void abut_lcp_invert_mass(const AbutBodyWork *body, AbutLcpBody *out);
/* Computes the angular block of the balance of free flight at the velocities `y`, row-major. */
void abut_lcp_flight_block(const AbutBodyWork *body, double timestep, const double y[6], double D[9]);
