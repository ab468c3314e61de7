/* How points, normals and gaps that follow the poses change the equations of a step: dJ' x and dJ v+ + dc. */
#ifndef DYNAMICS_METHODS_LCP_GRADIENT_CONTACTS_H
#define DYNAMICS_METHODS_LCP_GRADIENT_CONTACTS_H

#include "dynamics/methods/lcp/gradient.h"

/* adds M^-1 dJ' x to the velocities and, shared, to what comes late; and
 * fills `turned`, and `when` with what a turn of the contact does to it. NULL, or the pair whose points have no
 * derivative. */
const AbutPair *abut_lcp_derive_contacts(const AbutLcpDerivative *g);

#endif
