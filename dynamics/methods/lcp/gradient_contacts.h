/* Differentiates the contact equations of a step with respect to the poses, which move points, normals and gaps: dJ' x
 * and dJ v+ + dc. */
#pragma once

#include "dynamics/methods/lcp/gradient.h"

/* Adds M^-1 dJ' x to the velocities and, times the shares, to the delayed impulses. Adds dJ v+ + dc to `turned`, and
 * the change of the shares with the geometry to `when`. Returns a pair whose points have no derivative, or NULL. */
const AbutPair *abut_lcp_derive_contacts(const AbutLcpDerivative *g);
