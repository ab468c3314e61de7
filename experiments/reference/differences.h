/* Differences of steps, to hold derivatives of them against: each with an estimate of its own error, from steps of many
 * sizes. */
#ifndef EXPERIMENTS_REFERENCE_DIFFERENCES_H
#define EXPERIMENTS_REFERENCE_DIFFERENCES_H

#include "abut/gradient.h"

typedef struct AbutDifferences AbutDifferences;

/* Of the step that follows `state`, by any method: where it leads, or with kappa > 0 where it would on the central path
 * (abut_gradient_next). The model must outlive it. ABUT_ERROR_MEMORY; ABUT_ERROR_NUMERICAL: the step, or its point of
 * the path, cannot be had; and what abut_gradient_create answers. */
AbutStatus abut_differences_create(const AbutModel *model, const AbutState *state, double kappa, AbutDifferences **out,
                                   AbutError *error);
void abut_differences_destroy(AbutDifferences *differences); /* NULL is fine */

/* A column of the matrix of abut/gradient.h: `entry` of ABUT_GRADIENT_COLUMNS of moving body `moving` (counted among
 * those that move), ABUT_GRADIENT_ROWS n_moving numbers in the same units. `errors`, as many, is how far the values may
 * be off: by rounding, by what the differences span, and by how much the two one-sided ones differ in the limit;
 * infinite where no steps near enough are solved as the first was. */
AbutStatus abut_differences_state(AbutDifferences *differences, int moving, int entry, double *values, double *errors,
                                  AbutError *error);
/* The same by a parameter of the model. */
AbutStatus abut_differences_parameter(AbutDifferences *differences, const AbutParameter *parameter, double *values,
                                      double *errors, AbutError *error);

/* What one unit, of an entry or of a parameter, is worth in m/s after a step, in the scene's own sizes: of a force,
 * what it does to a body in flight. A much smaller derivative is none to speak of. */
double abut_differences_entry_effect(const AbutModel *model, int entry);
double abut_differences_parameter_effect(const AbutModel *model, const AbutParameter *parameter);

#endif
