/* The motion of a body without contacts, and a prediction of its velocity. */
#pragma once

#include "dynamics/body/body.h"
#include "solver/ncp/newton_parts.h"

/* Computes the velocity y (6) without contact, starting from the spin in y, and moves the body with it. Returns false
 * if the rotation is too large or Newton's method does not converge. */
bool abut_body_fly(AbutBodyWork *body, double timestep, double y[6], AbutSolveReport *report);
/* Extrapolates the velocity of a body by its last changes; y (6) receives the prediction. `jointed`: joints act on the
 * island. */
void abut_step_extrapolate(const AbutBodyWork *body, bool jointed, double y[6]);
