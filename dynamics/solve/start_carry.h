/* The last solution of a contact, carried along with its bodies. */
#ifndef DYNAMICS_SOLVE_START_CARRY_H
#define DYNAMICS_SOLVE_START_CARRY_H

#include "dynamics/contact/contact.h"

/* Carries place and normal in a contact's y and z along with the bodies, which the start has moved. */
void abut_step_carry(const AbutContactWork *contact, double timestep, double *y, double *z);

#endif
