/* Bounds on the ratio of Abut's step time to MuJoCo's. */
#ifndef EXPERIMENTS_PEERS_TARGETS_H
#define EXPERIMENTS_PEERS_TARGETS_H

#include "experiments/peers/peers.h"

/* A bound on the ratio of Abut's time to MuJoCo's in its default setting. */
typedef struct AbutPeerTarget {
	const char *case_name;
	const char *alone; /* not NULL: the ratio is of Abut's times per body, to those of this case of one body */
	bool mean;         /* of the mean times; otherwise of the medians */
	double bound;
	double penetration; /* m: a bound on Abut's too, in the place of that on the share of exact steps; 0: none */
} AbutPeerTarget;

enum { ABUT_PEER_EXACT_PERCENT = 99, ABUT_PEER_CPU_FACTOR = 100 }; /* least share of exact steps, least CPU ratio */

int abut_peer_target_count(void);
const AbutPeerTarget *abut_peer_target(int index);

#endif
