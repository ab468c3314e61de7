/* The libraries that this build was given, in the order of the table. */
#include "experiments/queries/peers.h"

#include <stddef.h>

#include "experiments/queries/queries.h"

static const AbutQueryFamily *const families[] = {&abut_query_ccd, &abut_query_fcl};

enum { N_FAMILIES = sizeof families / sizeof *families };

int abut_query_peer_count(void)
{
	int count = 0;
	for (int i = 0; i < N_FAMILIES; i++) {
		count += families[i]->count;
	}
	return count;
}

const AbutQueryPeer *abut_query_peer(int index)
{
	for (int i = 0; i < N_FAMILIES; i++) {
		if (index < families[i]->count) {
			return &families[i]->peers[index];
		}
		index -= families[i]->count;
	}
	return NULL;
}
