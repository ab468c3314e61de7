/* The numbers of unknowns and cones of a contact, and the memory for many contacts. */
#pragma once

#include "dynamics/model/pair.h"

/* Sets the sizes of a pair from its parts and `tail`. */
void abut_contact_size(const AbutModel *model, AbutPair *pair);
/* Returns the memory for `contacts` contacts, each of the largest size that the model's parts allow. */
AbutRoom abut_contact_room(const AbutModel *model, int contacts);
