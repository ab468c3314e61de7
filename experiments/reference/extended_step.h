/* The derivative of a step by a complex step in extended precision (long double; on a machine where that is double, in
 * that): the step's equations (docs/formulation.md 1 to 4), written anew for complex numbers, are solved by Newton's
 * method from the step's own solution, then once more with an imaginary change of the start so small that its square
 * vanishes. What the step's end has of it is the derivative: no difference is taken, so that no noise of a solver and
 * no stiffness hides it.
 *
 * At an exact solution what holds there stays held, so that no change of contact mode nearby disturbs it; on the border
 * of two modes there is no derivative, and the answer says so. */
#ifndef EXPERIMENTS_REFERENCE_EXTENDED_STEP_H
#define EXPERIMENTS_REFERENCE_EXTENDED_STEP_H

#include "abut/gradient.h"

typedef struct AbutExtendedStep AbutExtendedStep;

/* Solves the step that follows `state` by the method single-level; kappa as in abut_gradient_create. The model must
 * outlive it. ABUT_ERROR_MEMORY; ABUT_ERROR_NUMERICAL: the step failed; and the statuses of abut_gradient_create.
 * Missing columns are no error: see abut_extended_step_why. */
AbutStatus abut_extended_step_create(const AbutModel *model, const AbutState *state, double kappa,
                                     AbutExtendedStep **out, AbutError *error);
void abut_extended_step_destroy(AbutExtendedStep *step); /* NULL is fine */

/* Returns why moving body `moving` (counted among moving bodies) has no columns: a static text, such as "the solution
 * is on the border of two contact modes"; NULL where it has. */
const char *abut_extended_step_why(const AbutExtendedStep *step, int moving);

/* Returns whether the reason is that the solution is on the border of two contact modes. */
bool abut_extended_step_on_border(const AbutExtendedStep *step, int moving);

/* Computes a column as abut_differences_state does: ABUT_GRADIENT_ROWS n_moving numbers in SI units, and bounds on
 * their errors by rounding. Where there is no column, the errors are infinite and the values NaN. */
void abut_extended_step_column(AbutExtendedStep *step, int moving, int entry, double *values, double *errors);

#endif
