/* The derivative of an island's step of method convex, as a part that dynamics/gradient/part.h knows how to solve. */
#ifndef DYNAMICS_METHODS_CONVEX_GRADIENT_H
#define DYNAMICS_METHODS_CONVEX_GRADIENT_H

#include "dynamics/gradient/method.h"
#include "dynamics/methods/convex/rows.h"

/* What the method has of derivatives. */
extern const AbutMethodGradient abut_convex_gradient;

/* Returns whether a derivative by parameters of this kind is to be had of the method, and the kinds in words. */
bool abut_convex_has_parameter(AbutParameterKind kind);
#define ABUT_CONVEX_PARAMETERS "gravity, mass, inertia and friction"

#endif
