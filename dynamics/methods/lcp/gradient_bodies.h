/* Differentiates free flight, and the effect of the inertia on impulses, with respect to a body's state, inputs, mass
 * and inertia. */
#pragma once

#include "dynamics/methods/lcp/gradient.h"

/* Adds dv*, the change of free flight, to the velocities. Returns false if its balance cannot be solved. */
bool abut_lcp_derive_flight(const AbutLcpDerivative *g, int index);
/* Adds -M^-1 dM (v+ - v*) to the velocities, and the corresponding term to the delayed impulses. */
void abut_lcp_derive_inertia(const AbutLcpDerivative *g, int index);
