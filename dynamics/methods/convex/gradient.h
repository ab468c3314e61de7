/* Computes the derivative of an island's step of method convex, as a part for dynamics/gradient/part.h. */
#pragma once

#include "dynamics/gradient/method.h"
#include "dynamics/methods/convex/rows.h"

/* The functions of the method for derivatives. */
extern const AbutMethodGradient abut_convex_gradient;

/* Returns whether the method has derivatives with respect to parameters of this kind. ABUT_CONVEX_PARAMETERS lists the
 * supported kinds for messages. */
bool abut_convex_has_parameter(AbutParameterKind kind);
#define ABUT_CONVEX_PARAMETERS "gravity, mass, inertia, friction and those of joints"
