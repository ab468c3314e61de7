/* Measures one engine on one case. */
#ifndef EXPERIMENTS_PEERS_MEASURE_H
#define EXPERIMENTS_PEERS_MEASURE_H

#include "experiments/peers/peers.h"
#include "experiments/peers/scenes.h"

typedef struct AbutPeerResult {
	long steps; /* timed, of all runs */
	double us_median, us_mean, us_p99;
	double exact_share; /* of the timed steps; NaN for an engine without exact steps */
	long failed_steps;
	double penetration; /* m, worst of all timed steps: of the contacts of the engine, and of the bodies in the
	                       planes */
	double momentum;    /* kg m/s, mean over the steps of the length of the total momentum */
} AbutPeerResult;

typedef struct AbutPeerEffort {
	int runs_most, repeats_most; /* caps on the case's own numbers, 0: none */
	long steps_most;
	bool quick; /* only the first frequency of a search, and no time to settle */
} AbutPeerEffort;

AbutPeerEffort abut_peer_effort(bool quick);
AbutStatus abut_peer_measure(const AbutPeerCase *which, const AbutPeerEngine *engine, double timestep,
                             unsigned long long seed, const AbutPeerEffort *effort, AbutPeerResult *result,
                             AbutError *error);

#endif
