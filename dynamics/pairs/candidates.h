/* The pairs that a step solves for. The choice is generous but not a bound, since a third body may push; it is
 * therefore checked at the new poses. */
#ifndef DYNAMICS_PAIRS_CANDIDATES_H
#define DYNAMICS_PAIRS_CANDIDATES_H

#include "dynamics/body/body.h"
#include "dynamics/pairs/islands.h"
#include "dynamics/pairs/near.h"

/* Finds the pairs that are near each other and chooses the active ones. Returns ABUT_ERROR_MEMORY if memory is short.
 */
AbutStatus abut_pairs_find(const AbutModel *model, const AbutState *state, const AbutBodyWork *bodies,
                           AbutNearPairs *pairs);
/* Adds the pairs that may overlap at the new poses to the active pairs, and counts them in `added`. */
AbutStatus abut_pairs_missed(const AbutModel *model, const AbutBodyWork *bodies, const AbutPartition *partition,
                             AbutNearPairs *pairs, int *added);

#endif
