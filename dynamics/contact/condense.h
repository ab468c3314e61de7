/* Elimination of a contact. */
#ifndef DYNAMICS_CONTACT_CONDENSE_H
#define DYNAMICS_CONTACT_CONDENSE_H

#include "dynamics/contact/contact.h"

/* Eliminates the contact's unknowns and adds its wrench to the block system; keeps the rows that recover needs. False
 * where the collision block is singular. */
bool abut_contact_condense(AbutContactWork *contact, const AbutEdgeRoom *room, const double *r, const AbutConeLaw *law);

#endif
