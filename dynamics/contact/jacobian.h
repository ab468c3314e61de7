/* The dense Jacobian of a contact, with which tests compare its elimination. */
#pragma once

#include "dynamics/contact/contact.h"

/* Adds the contact's entries to the dense Jacobian of n columns, n_y of them free unknowns. */
void abut_contact_jacobian(const AbutContactWork *contact, const AbutEdgeRoom *room, double rho, int n_y, int n,
                           double *J);
