/* The pairs of parts that are near each other in a step. */
#ifndef DYNAMICS_PAIRS_NEAR_H
#define DYNAMICS_PAIRS_NEAR_H

#include "collision/broad_phase.h"
#include "dynamics/model/pair.h"
#include "dynamics/state/memory.h"

/* Two parts near each other. */
typedef struct AbutCandidate {
	AbutPair pair;
	bool active; /* the step solves for this contact; false: a plane keeps the parts apart in this step */
	bool solved; /* solved in the step or in a part of it */
	int source;  /* its entry in the state's store, -1: none */
} AbutCandidate;

/* Candidates, in the order in which they were found. */
typedef struct AbutNearPairs {
	AbutBounds *bounds; /* (n_parts) boxes swept by the step */
	AbutBounds *ways;   /* (n_parts) boxes swept by parts whose islands took the step in parts */
	AbutBroadPhase broad_phase;
	int n_candidates, capacity;
	AbutCandidate *candidates; /* (n_candidates) */
	AbutContactStore store;    /* (n_candidates) entries: what each contact starts from, and its solution */
	int *by_key;               /* (n_candidates) candidates in the order of their parts */
	int *active;               /* (n_active) active candidates in that order */
	int n_active;
	uint64_t *met; /* (n_met) keys of pairs that the broad phase found */
	int n_met, capacity_met;
	bool out_of_memory; /* the broad phase had no room for a key */
} AbutNearPairs;

/* Makes room for so many candidates; keeps the present ones. */
AbutStatus abut_near_pairs_reserve(AbutNearPairs *pairs, int candidates);
/* Makes room for as many candidates, met keys and solutions as `room` has contacts. */
AbutStatus abut_near_pairs_begin(AbutNearPairs *pairs, const AbutRoom *room);
void abut_near_pairs_destroy(AbutNearPairs *pairs);

#endif
