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

/* Of the step that follows `state` by the method single-level; kappa as in abut_gradient_create. The model must outlive
 * it. ABUT_ERROR_MEMORY; ABUT_ERROR_NUMERICAL: the step could not be taken; and what abut_gradient_create answers. That
 * a part of it cannot be had is no error: abut_extended_step_why. */
AbutStatus abut_extended_step_create(const AbutModel *model, const AbutState *state, double kappa,
                                     AbutExtendedStep **out, AbutError *error);
void abut_extended_step_destroy(AbutExtendedStep *step); /* NULL is fine */

/* Why the columns of moving body `moving` (counted among those that move) cannot be had: a static text, such as "the
 * solution is on the border of two contact modes"; NULL where they can. */
const char *abut_extended_step_why(const AbutExtendedStep *step, int moving);

/* Whether it is for that the solution is on the border of two contact modes. */
bool abut_extended_step_on_border(const AbutExtendedStep *step, int moving);

/* A column as of abut_differences_state: ABUT_GRADIENT_ROWS n_moving numbers in SI units, and by how much each may be
 * off, by rounding alone; infinite, with values NaN, where the column cannot be had. */
void abut_extended_step_column(AbutExtendedStep *step, int moving, int entry, double *values, double *errors);

#endif
