/* The last solution of a contact, moved along with its bodies. */
#ifndef DYNAMICS_SOLVE_START_CARRY_H
#define DYNAMICS_SOLVE_START_CARRY_H

#include "dynamics/contact/contact.h"

/* Moves place and normal in a contact's y and z along with the bodies, which are at the places of the start. */
void abut_step_carry(const AbutContactWork *contact, double timestep, double *y, double *z);

#endif
