/* Finite differences of steps, for comparison with derivatives; each has an error estimate from steps of many sizes. */
#ifndef EXPERIMENTS_REFERENCE_DIFFERENCES_H
#define EXPERIMENTS_REFERENCE_DIFFERENCES_H

#include "abut/gradient.h"

typedef struct AbutDifferences AbutDifferences;

/* Prepares differences of the step that follows `state`, by any method: of its end, or with kappa > 0 of its end on the
 * central path (abut_gradient_next). The model must outlive them. ABUT_ERROR_MEMORY; ABUT_ERROR_NUMERICAL: the step or
 * its point of the path failed; and the statuses of abut_gradient_create. */
AbutStatus abut_differences_create(const AbutModel *model, const AbutState *state, double kappa, AbutDifferences **out,
                                   AbutError *error);
void abut_differences_destroy(AbutDifferences *differences); /* NULL is fine */

/* Computes a column of the matrix of abut/gradient.h: `entry` of ABUT_GRADIENT_COLUMNS of moving body `moving` (counted
 * among moving bodies), ABUT_GRADIENT_ROWS n_moving numbers in the same units. `errors`, as many, bounds their errors:
 * rounding, the span of the differences, and the distance of the two one-sided limits; infinite where no step near
 * enough has the outcome of the first. */
AbutStatus abut_differences_state(AbutDifferences *differences, int moving, int entry, double *values, double *errors,
                                  AbutError *error);
/* Computes the column of a parameter of the model. */
AbutStatus abut_differences_parameter(AbutDifferences *differences, const AbutParameter *parameter, double *values,
                                      double *errors, AbutError *error);

/* Returns the effect of one unit of an entry or of a parameter, in m/s after a step, at the scale of the scene; for a
 * force, its effect on a body in flight. A much smaller derivative is negligible. */
double abut_differences_entry_effect(const AbutModel *model, int entry);
double abut_differences_parameter_effect(const AbutModel *model, const AbutParameter *parameter);

#endif
