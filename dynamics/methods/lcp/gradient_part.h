/* Makes the derivative of an island's step of method lcp, as a part for dynamics/gradient/part.h. */
#pragma once

#include "dynamics/gradient/method.h"

/* The functions of the method for derivatives. */
extern const AbutMethodGradient abut_lcp_part_gradient;

/* Returns whether the method has derivatives with respect to parameters of this kind. ABUT_LCP_PARAMETERS lists the
 * supported kinds for messages. */
bool abut_lcp_has_parameter(AbutParameterKind kind);
#define ABUT_LCP_PARAMETERS "mass and the parameters of joints"
