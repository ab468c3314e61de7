/* Computes how a parameter changes the equations of a contact at fixed poses, velocities and unknowns. */
#pragma once

#include "dynamics/gradient/contact_linear.h"

/* Adds one model unit of `parameter` (abut_parameter_unit) to lane `lane` of linear->input; abut_contact_linear_clear
 * removes it. y and z are the contact's unknowns and duals. Does nothing if the contact does not depend on the
 * parameter. */
void abut_contact_linear_set_parameter(AbutContactLinear *linear, const AbutModel *model,
                                       const AbutParameter *parameter, const double *y, const double *z, int lane);

/* Returns whether the contact's equations depend on the parameter. */
bool abut_contact_parameter_touches(const AbutContactWork *contact, const AbutModel *model,
                                    const AbutParameter *parameter);
