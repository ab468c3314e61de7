/* Parts that may have passed through each other. */
#ifndef DYNAMICS_SOLVE_PASSAGE_H
#define DYNAMICS_SOLVE_PASSAGE_H

#include "dynamics/island/island.h"

/* Returns whether a plane keeps the two parts of a contact apart at the start of the step and where the bodies are, but
 * for an overlap. Its normal is that of the iterate, which is evaluated, or a direction that is as good. */
bool abut_step_kept_apart(const AbutModel *model, const AbutContactWork *contact, double overlap);
/* Returns whether two parts that the island's solution moves past each other by more than they are thick may have gone
 * through each other. */
bool abut_step_passes_through(const AbutModel *model, const AbutIsland *island);

#endif
