/* The pairs that a step solves for. The choice is generous, but a third body may push two parts together; the pairs are
 * therefore checked again at the new poses. */
#pragma once

#include "dynamics/body/body.h"
#include "dynamics/pairs/islands.h"
#include "dynamics/pairs/near.h"

/* Finds the pairs that are near each other and chooses the active ones. Returns ABUT_ERROR_MEMORY if allocation fails.
 */
AbutStatus abut_pairs_find(const AbutModel *model, const AbutState *state, const AbutBodyWork *bodies,
                           AbutNearPairs *pairs);
/* Activates the pairs left out that may overlap at the new poses, and sets `added` to their number. */
AbutStatus abut_pairs_missed(const AbutModel *model, const AbutBodyWork *bodies, const AbutPartition *partition,
                             AbutNearPairs *pairs, int *added);
