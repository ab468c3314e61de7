/* Detection of parts that may have passed through each other. */
#ifndef DYNAMICS_SOLVE_PASSAGE_H
#define DYNAMICS_SOLVE_PASSAGE_H

#include "dynamics/island/island.h"

/* Returns whether a plane separates the two parts of a contact, except for an overlap, at the start of the step and at
 * the present places. Its normal is that of the iterate, which is evaluated, or a direction that is as good. */
bool abut_step_kept_apart(const AbutModel *model, const AbutContactWork *contact, double overlap);
/* Returns whether two parts that the island's solution moves past each other by more than their thickness may have
 * passed through each other. */
bool abut_step_passes_through(const AbutModel *model, const AbutIsland *island);

#endif
