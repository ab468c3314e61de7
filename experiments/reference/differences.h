/* Computes finite differences of steps, for comparison with derivatives. Differences of many sizes give
 * each derivative an error estimate. */
#pragma once

#include "abut/gradient.h"

typedef struct AbutDifferences AbutDifferences;

/* Prepares differences of the step that follows `state`, with any method. They are differences of the state after the
 * step, or with kappa > 0 of that state on the central path (abut_gradient_next). The model must outlive the result.
 * Returns ABUT_ERROR_MEMORY, ABUT_ERROR_NUMERICAL if the step or its point on the path failed, or a status of
 * abut_gradient_create. */
AbutStatus abut_differences_create(const AbutModel *model, const AbutState *state, double kappa, AbutDifferences **out,
                                   AbutError *error);
void abut_differences_destroy(AbutDifferences *differences); /* NULL is fine */

/* Computes one column of the matrix of abut/gradient.h: the derivatives with respect to `entry` (0 to
 * ABUT_GRADIENT_COLUMNS - 1) of the body with index `moving` among the moving bodies. `values` and `errors` have
 * ABUT_GRADIENT_ROWS n_moving numbers in the units of the matrix. An entry of `errors` estimates the error due
 * to rounding, to the spread of the differences and to the distance between the two one-sided limits; it is infinite if
 * no step close enough has the same outcome as the unchanged step. */
AbutStatus abut_differences_state(AbutDifferences *differences, int moving, int entry, double *values, double *errors,
                                  AbutError *error);
/* Computes the column of derivatives by a parameter of the model. */
AbutStatus abut_differences_parameter(AbutDifferences *differences, const AbutParameter *parameter, double *values,
                                      double *errors, AbutError *error);

/* Returns the typical effect of one unit of an entry or of a parameter on a velocity after the step, in m/s. For a
 * force this is its effect on a body in flight. Much smaller derivatives are negligible. */
double abut_differences_entry_effect(const AbutModel *model, int entry);
double abut_differences_parameter_effect(const AbutModel *model, const AbutParameter *parameter);
