/* The last solution of a contact, carried along with its bodies. */
#pragma once

#include "dynamics/contact/contact.h"

/* Carries place and normal in a contact's y and z along with the bodies, which the start has moved. */
void abut_step_carry(const AbutContactWork *contact, double timestep, double *y, double *z);
