/* Elimination of a contact's unknowns. */
#pragma once

#include "dynamics/contact/contact.h"

/* Eliminates the contact's unknowns, adds its wrench to the linear system of the bodies, and stores the rows that
 * abut_contact_recover needs. Returns false if the system of the collision unknowns is singular. */
bool abut_contact_condense(AbutContactWork *contact, const AbutEdgeRoom *room, const double *r, const AbutConeLaw *law);
