/* The steps of a contact's unknowns. */
#pragma once

#include "dynamics/contact/contact.h"

/* Computes dy, dz and dH of the contact from the steps of all moving bodies. */
void abut_contact_recover(const AbutContactWork *contact, const AbutEdgeRoom *room, const AbutConeLaw *law,
                          double weight, const double *dy_bodies, double *dy, double *dz, double *dH);
