/* Elimination of a contact. */
#ifndef DYNAMICS_CONTACT_CONDENSE_H
#define DYNAMICS_CONTACT_CONDENSE_H

#include "dynamics/contact/contact.h"

/* Eliminates the contact's unknowns, adds its wrench to the block system, and keeps the rows that abut_contact_recover
 * needs. Returns false if the collision block is singular. */
bool abut_contact_condense(AbutContactWork *contact, const AbutEdgeRoom *room, const double *r, const AbutConeLaw *law);

#endif
