/* Derivatives of the equations of a step by points, normals and gaps that follow the poses: dJ' x and dJ v+ + dc. */
#ifndef DYNAMICS_METHODS_LCP_GRADIENT_CONTACTS_H
#define DYNAMICS_METHODS_LCP_GRADIENT_CONTACTS_H

#include "dynamics/methods/lcp/gradient.h"

/* Adds M^-1 dJ' x to the velocities and, by the shares, to the delayed impulses. Fills `turned`, and `when` with the
 * change of the shares as the contact turns. Returns the pair whose points have no derivative, or NULL. */
const AbutPair *abut_lcp_derive_contacts(const AbutLcpDerivative *g);

#endif
