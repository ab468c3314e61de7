/* The pairs of parts that are near each other in a step. */
#pragma once

#include "collision/broad_phase.h"
#include "dynamics/model/pair.h"
#include "dynamics/state/memory.h"

/* A pair of parts near each other. */
typedef struct AbutCandidate {
	AbutPair pair;
	bool active; /* the step solves for this contact; false: a plane separates the parts in this step */
	bool solved; /* solved in the step, or in a part of the step */
	int source;  /* index of its entry in the state's store; -1: none */
} AbutCandidate;

/* All candidates, in the order in which they were found. */
typedef struct AbutNearPairs {
	AbutBounds *bounds; /* (n_parts) boxes swept in the step */
	AbutBounds *ways;   /* (n_parts) boxes swept by parts whose islands took the step in parts */
	AbutBroadPhase broad_phase;
	int n_candidates, capacity;
	AbutCandidate *candidates; /* (n_candidates) */
	AbutContactStore store;    /* (n_candidates) entries: the start of each contact, then its solution */
	int *by_key;               /* (n_candidates) candidates sorted by key */
	int *active;               /* (n_active) active candidates sorted by key */
	int n_active;
	uint64_t *met; /* (n_met) keys of pairs found by the broad phase or near halfspaces */
	int n_met, capacity_met;
	bool out_of_memory; /* no memory for a key of `met` */
} AbutNearPairs;

/* Reserves memory for this number of candidates; keeps the present ones. */
AbutStatus abut_near_pairs_reserve(AbutNearPairs *pairs, int candidates);
/* Reserves memory for candidates, keys and solutions, for the number of contacts in `room`. */
AbutStatus abut_near_pairs_begin(AbutNearPairs *pairs, const AbutRoom *room);
void abut_near_pairs_destroy(AbutNearPairs *pairs);
