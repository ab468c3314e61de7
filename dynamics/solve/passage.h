/* Tunnelling: whether parts may have passed through each other. */
#ifndef DYNAMICS_SOLVE_PASSAGE_H
#define DYNAMICS_SOLVE_PASSAGE_H

#include "dynamics/island/island.h"

/* Returns whether a plane separates the two parts of a contact, up to an overlap, at the start of the step and now. Its
 * normal is that of the evaluated iterate, or another promising direction. */
bool abut_step_kept_apart(const AbutModel *model, const AbutContactWork *contact, double overlap);
/* Returns whether two parts may have passed through each other: the solution moves them past each other by more than
 * they are thick, and no plane separates them. */
bool abut_step_passes_through(const AbutModel *model, const AbutIsland *island);

#endif
