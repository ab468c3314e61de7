/* A body's share of the derivative of a step. */
#ifndef DYNAMICS_GRADIENT_BODY_H
#define DYNAMICS_GRADIENT_BODY_H

#include "dynamics/gradient/part.h"

/* of a body at its solution. */
void abut_gradient_body(const AbutBodyWork *work, double timestep, AbutGradientBody *out);

#endif
