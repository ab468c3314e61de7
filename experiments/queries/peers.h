/* The other libraries that this build compares with. */
#ifndef EXPERIMENTS_QUERIES_PEERS_H
#define EXPERIMENTS_QUERIES_PEERS_H

#include "experiments/queries/queries.h"

int abut_query_peer_count(void); /* at most ABUT_QUERY_PEERS_MAX */
const AbutQueryPeer *abut_query_peer(int index);

#endif
