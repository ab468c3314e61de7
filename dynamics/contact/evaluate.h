/* Values of a contact at the iterate. */
#pragma once

#include "dynamics/contact/contact.h"

/* Computes the contact's own rows of r and H at its y and z. Subtracts its impulses from r_bodies, the rows of all
 * bodies. */
void abut_contact_evaluate(AbutContactWork *contact, AbutFrictionCone cone, double timestep, const double *y,
                           const double *z, double *r, double *H, double *r_bodies);

/* Returns the angular velocity of side 1 relative to side 0 about the normal. */
double abut_contact_spin(const AbutContactWork *contact);
