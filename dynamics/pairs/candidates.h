/* The pairs that a step solves for. The choice is generous but not a bound (a third body may push), so that it is
 * checked at the poses where the step leads. */
#ifndef DYNAMICS_PAIRS_CANDIDATES_H
#define DYNAMICS_PAIRS_CANDIDATES_H

#include "dynamics/body/body.h"
#include "dynamics/pairs/islands.h"
#include "dynamics/pairs/near.h"

/* Finds the pairs that are near each other and chooses the active ones. ABUT_ERROR_MEMORY when there is no room. */
AbutStatus abut_pairs_find(const AbutModel *model, const AbutState *state, const AbutBodyWork *bodies,
                           AbutNearPairs *pairs);
/* Adds the pairs that may overlap where the step leads to the active ones, and counts them in `added`. */
AbutStatus abut_pairs_missed(const AbutModel *model, const AbutBodyWork *bodies, const AbutPartition *partition,
                             AbutNearPairs *pairs, int *added);

#endif
