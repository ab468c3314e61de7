/* Prediction of a body's velocity after a step. */
#pragma once

#include "dynamics/body/body.h"

/* Extrapolates the velocity of a body by its last changes; y (6) receives the prediction. */
void abut_step_extrapolate(const AbutBodyWork *body, double y[6]);
