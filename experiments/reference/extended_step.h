/* Computes the derivative of a step by a complex step in extended precision (long double; on some machines this is only
 * double). The step's equations (docs/formulation.md, sections 1 to 4) are implemented again, for complex numbers.
 * Newton's method refines the step's own solution. The equations are then solved once more after an imaginary change of
 * the start, so small that its square vanishes. The imaginary part of the result is the derivative. No difference is
 * taken, so neither solver noise nor stiffness affects it.
 *
 * At an exact solution, conditions that hold with equality are kept, so a change of contact mode nearby has no effect.
 * On the border of two modes no derivative exists; this is reported. */
#pragma once

#include "abut/gradient.h"

typedef struct AbutExtendedStep AbutExtendedStep;

/* Solves the step that follows `state` with method single-level; kappa as in abut_gradient_create. The model must
 * outlive the result. Returns ABUT_ERROR_MEMORY, ABUT_ERROR_NUMERICAL if the step failed, or a status of
 * abut_gradient_create. A missing column is not an error: see abut_extended_step_why. */
AbutStatus abut_extended_step_create(const AbutModel *model, const AbutState *state, double kappa,
                                     AbutExtendedStep **out, AbutError *error);
void abut_extended_step_destroy(AbutExtendedStep *step); /* NULL is fine */

/* Returns why moving body `moving`, counted among moving bodies, has no columns; NULL if it has columns. The text is
 * static, such as "the solution is on the border of two contact modes". */
const char *abut_extended_step_why(const AbutExtendedStep *step, int moving);

/* Returns whether columns are missing because the solution is on the border of two contact modes. */
bool abut_extended_step_on_border(const AbutExtendedStep *step, int moving);

/* Computes a column as abut_differences_state does: ABUT_GRADIENT_ROWS n_moving numbers in SI units, with bounds on
 * their rounding errors. If there is no column, the errors are infinite and the values NaN. */
void abut_extended_step_column(AbutExtendedStep *step, int moving, int entry, double *values, double *errors);
