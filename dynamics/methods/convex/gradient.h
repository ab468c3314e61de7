/* The derivative of an island's step of method convex, as a part that dynamics/gradient/part.h can solve. */
#ifndef DYNAMICS_METHODS_CONVEX_GRADIENT_H
#define DYNAMICS_METHODS_CONVEX_GRADIENT_H

#include "dynamics/gradient/method.h"
#include "dynamics/methods/convex/rows.h"

/* The derivatives that the method supports. */
extern const AbutMethodGradient abut_convex_gradient;

/* Returns whether the method has derivatives by parameters of this kind, and the supported kinds in words. */
bool abut_convex_has_parameter(AbutParameterKind kind);
#define ABUT_CONVEX_PARAMETERS "gravity, mass, inertia and friction"

#endif
