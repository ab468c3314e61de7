/* How many unknowns and cones a contact by the cones of its shapes has, and room for many of them. */
#ifndef DYNAMICS_CONTACT_SIZE_H
#define DYNAMICS_CONTACT_SIZE_H

#include "dynamics/model/pair.h"

/* Sets the sizes of a pair whose parts and tail are set. */
void abut_contact_size(const AbutModel *model, AbutPair *pair);
/* Returns room for as many contacts, each as large as the largest parts make it. */
AbutRoom abut_contact_room(const AbutModel *model, int contacts);

#endif
