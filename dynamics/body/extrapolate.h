/* The velocity that a body is expected to have after a step. */
#ifndef DYNAMICS_BODY_EXTRAPOLATE_H
#define DYNAMICS_BODY_EXTRAPOLATE_H

#include "dynamics/body/body.h"

/* Extrapolates the velocity of a body by its last change. */
void abut_step_extrapolate(const AbutBodyWork *body, double y[6]);

#endif
