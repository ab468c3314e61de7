/* Memory of method lcp for a contact, in the store of the state: for each point its feature and the sets of its rows,
 * from which the next boxed LCP starts. Tested in tests/dynamics/methods/lcp/test_lcp_memory.c. */
#ifndef DYNAMICS_METHODS_LCP_MEMORY_H
#define DYNAMICS_METHODS_LCP_MEMORY_H

#include "collision/manifold/manifold.h"
#include "dynamics/model/pair.h"
#include "dynamics/state/memory.h"
#include "solver/lcp/boxed_lcp.h"

struct AbutLcpContact;

/* Set the sizes of a pair, and return the room for so many contacts; y holds a contact's memory. */
void abut_lcp_size(const AbutModel *model, AbutPair *pair);
AbutRoom abut_lcp_room(const AbutModel *model, int contacts);

/* Numbers of a point: both halves of its feature, each of which a double holds exactly, and 1 + its three sets as
 * digits, 0 for no point. Numbers of a contact: `y` of its entry. */
enum { ABUT_LCP_POINT_MEMORY = 3, ABUT_LCP_MEMORY = ABUT_LCP_POINT_MEMORY * ABUT_MANIFOLD_POINTS };

/* Stores the solved contact, with its scaling at the end of the step, in the entry. */
void abut_lcp_remember(const struct AbutLcpContact *contact, double scaling, int entry, AbutContactStore *store);
/* Recalls the sets of the contact's rows, by the features of its points; idle if unknown. `source` is its entry in the
 * store, -1: none. */
void abut_lcp_recall(const AbutContactStore *store, int source, const struct AbutLcpContact *contact,
                     AbutBoxedSet *guess);

#endif
