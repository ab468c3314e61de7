/* Stores what method lcp remembers of a contact between steps, in the store of the state. This is the feature of each
 * point and the sets of its rows, from which the next boxed LCP starts. Tested in
 * tests/dynamics/methods/lcp/test_lcp_memory.c. */
#pragma once

#include "collision/manifold/manifold.h"
#include "dynamics/model/pair.h"
#include "dynamics/state/memory.h"
#include "solver/lcp/boxed_lcp.h"

struct AbutLcpContact;

/* abut_lcp_size sets the sizes of a pair; abut_lcp_room returns the sizes for `contacts` contacts. The memory of a
 * contact is stored in y. */
void abut_lcp_size(const AbutModel *model, AbutPair *pair);
AbutRoom abut_lcp_room(const AbutModel *model, int contacts);

/* Numbers stored for a point and for a contact. A point has three: the high and the low half of its feature, each exact
 * in a double, and the code of its sets (0: no point). */
enum { ABUT_LCP_POINT_MEMORY = 3, ABUT_LCP_MEMORY = ABUT_LCP_POINT_MEMORY * ABUT_MANIFOLD_POINTS };

/* Stores the features and sets of a solved contact, and its scaling at the end of the step, in the entry. */
void abut_lcp_remember(const struct AbutLcpContact *contact, double scaling, int entry, AbutContactStore *store);
/* Recalls the sets of the contact's rows from points with the same features. Rows of unknown points are idle. `source`
 * is the contact's entry in the store; -1: none. */
void abut_lcp_recall(const AbutContactStore *store, int source, const struct AbutLcpContact *contact,
                     AbutBoxedSet *guess);
