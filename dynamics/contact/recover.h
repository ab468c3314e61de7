/* The steps of a contact's unknowns. */
#ifndef DYNAMICS_CONTACT_RECOVER_H
#define DYNAMICS_CONTACT_RECOVER_H

#include "dynamics/contact/contact.h"

/* Computes dy, dz and dH of the contact from the steps of all moving bodies. */
void abut_contact_recover(const AbutContactWork *contact, const AbutEdgeRoom *room, const AbutConeLaw *law,
                          double weight, const double *dy_bodies, double *dy, double *dz, double *dH);

#endif
