/* Searches the lowest frequency at which a dropped cube penetrates less than 1 mm. */
#ifndef EXPERIMENTS_PEERS_SEARCH_H
#define EXPERIMENTS_PEERS_SEARCH_H

#include "experiments/peers/measure.h"
#include "experiments/peers/peers.h"

/* What a frequency takes and gives: worst penetration over all drops, CPU per simulated second. */
typedef struct AbutPeerTrial {
	double frequency;   /* Hz */
	double penetration; /* m */
	double cpu_ms;      /* per simulated second */
	bool below;         /* 1 mm in every step, and no step failed */
} AbutPeerTrial;

enum { ABUT_PEER_TRIALS_MAX = 32 };

/* Every frequency that was tried, for a plot, and the one found: from 100 Hz to 10 kHz, by halving to a few per cent. A
 * lower one may exist. For Abut, the frequencies from 10 Hz to 1 kHz, and the 20 Hz of its bound is the one found. */
typedef struct AbutPeerSearch {
	int count;
	AbutPeerTrial trials[ABUT_PEER_TRIALS_MAX]; /* [count] */
	AbutPeerTrial found;                        /* when not `below`: the highest frequency */
} AbutPeerSearch;

AbutStatus abut_peer_search(const AbutPeerEngine *engine, unsigned long long seed, const AbutPeerEffort *effort,
                            AbutPeerSearch *out, AbutError *error);

#endif
