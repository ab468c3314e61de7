/* Computes the rates of joints in the step before a state, as a function of the state. */
#pragma once

#include "abut/model.h"

/* Writes ABUT_JOINT_FREEDOMS numbers for each joint to `out`, in model units: (c(z) - c(z-)) / h, with the coordinate c
 * of a freedom, the present poses z, and the poses z- from which the present velocities led to them in the last step of
 * length h; 0 for joints without a last step. `scratch` is another state of the model, and is overwritten. */
void abut_joint_rates(const AbutModel *model, const AbutState *state, AbutState *scratch, double *out);
