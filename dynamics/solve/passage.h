/* Tunnelling: whether two parts may have passed through each other. */
#pragma once

#include "dynamics/island/island.h"

/* Returns whether a plane separates the two parts of a contact, up to an overlap, both at the start of the step and at
 * the evaluated iterate. Tries the normals of the iterate and of the last step, and the lines of centres. */
bool abut_step_kept_apart(const AbutModel *model, const AbutContactWork *contact, double overlap);
/* Returns whether two parts may have passed through each other: the solution moves them past each other by more than
 * their thickness, and no separating plane is found. */
bool abut_step_passes_through(const AbutModel *model, const AbutIsland *island);
