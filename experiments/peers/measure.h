/* Measures one engine in one case. */
#pragma once

#include "experiments/peers/peers.h"
#include "experiments/peers/scenes.h"

typedef struct AbutPeerResult {
	long steps; /* number of timed steps of all runs */
	double us_median, us_mean, us_p99;
	double exact_share; /* share of the timed steps that are exact; NaN for an engine without exact steps */
	long failed_steps;
	double penetration; /* m, largest over all timed steps: as reported by the engine, and of the bodies in the
	                       planes */
	double momentum;    /* kg m/s, mean over the steps of the norm of the total momentum */
} AbutPeerResult;

typedef struct AbutPeerEffort {
	int runs_most, repeats_most; /* largest numbers of runs and repeats; 0: as in the case */
	long steps_most;
	bool quick; /* only the first frequency of a search, and no steps to settle */
} AbutPeerEffort;

AbutPeerEffort abut_peer_effort(bool quick);
AbutStatus abut_peer_measure(const AbutPeerCase *which, const AbutPeerEngine *engine, double timestep,
                             unsigned long long seed, const AbutPeerEffort *effort, AbutPeerResult *result,
                             AbutError *error);
