/* The impulses among the dual unknowns of a contact. */
#pragma once

#include "dynamics/contact/contact.h"

/* Multiplies the impulses in a contact's z (gamma and friction) by a factor. */
void abut_scale_forces(const AbutContactWork *contact, AbutFrictionCone cone, double factor, double *z);
/* Sets the impulses in a contact's z to zero. */
void abut_step_no_force(const AbutContactWork *contact, double *z);
