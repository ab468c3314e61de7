/* Estimates the derivative of an average over normally distributed forces from samples (randomised smoothing). */
#pragma once

#include "base/rng.h"
#include "experiments/smoothing/pushed_box.h"

/* With y(f) the observed velocity at force f, both estimate d/df E[y(f + sigma e)] from `samples` draws of a normal e.
 * The first uses values: the mean of (y(f + sigma e) - y(f)) e / sigma. The second uses derivatives, with a box at
 * kappa 0: the mean of y'(f + sigma e). */
AbutStatus abut_randomised_by_values(AbutPushedBox *box, double force, double sigma, int samples, AbutRng *rng,
                                     double *slope);
AbutStatus abut_randomised_by_derivatives(AbutPushedBox *box, double force, double sigma, int samples, AbutRng *rng,
                                          double *slope, AbutError *error);
