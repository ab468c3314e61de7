/* Scratch of one world: its bodies during a step, the pairs that are near each other, the islands, and for each thread
 * room to solve one of them. */
#ifndef DYNAMICS_STEP_WORKSPACE_H
#define DYNAMICS_STEP_WORKSPACE_H

#include "abut/gradient.h"
#include "base/thread_pool.h"
#include "collision/broad_phase.h"
#include "dynamics/island/island.h"
#include "dynamics/methods/manifold/island.h"

/* Bodies up to which room for all contacts and islands is made at once. */
enum { ABUT_RESERVED_BODIES = 64 };

/* Two parts near each other. */
typedef struct AbutCandidate {
	AbutPair pair;
	bool active; /* solved for; otherwise something keeps them apart in this step */
	bool solved; /* in the step, or in a part of it */
	int source;  /* its entry in the state's store, -1: none */
} AbutCandidate;

/* Bodies that touch, directly or through others, are solved together; islands are solved apart. */
typedef struct AbutIslandMembers {
	int first_body, first_contact; /* into AbutWorkspace.moving and by_island */
	AbutIslandSize size;
	const AbutBlockPattern *pattern; /* of its bodies */
	bool gathered;                   /* its bodies are as at the start of the step */
	bool solved;                     /* in this step, and no pair has been added since */
	AbutStepInfo info;               /* of all its solves in this step */
} AbutIslandMembers;

struct AbutWorkspace {
	const AbutModel *model;
	AbutBodyWork *bodies; /* (n_bodies) */
	AbutMotion *motion;   /* (n_bodies) where the step leads, until all islands are solved */
	AbutBounds *bounds;   /* (n_parts) swept by the step */
	AbutBounds *ways;     /* (n_parts) of the parts of islands that took the step in parts */
	AbutBroadPhase broad_phase;
	/* Candidates, in the order in which they were found. */
	int n_candidates, capacity;
	AbutCandidate *candidates;
	AbutContactStore store; /* (n_candidates) entries: what each contact starts from, and its solution */
	AbutContact *results;   /* (n_candidates) */
	int *by_key;            /* (n_candidates) in the order of their parts */
	int *active;            /* (n_active) active ones in that order */
	int n_active;
	uint64_t *met; /* (n_met) keys of pairs that the broad phase found */
	int n_met, capacity_met;
	bool out_of_memory; /* the broad phase had no room for a key */
	/* Islands. */
	int n_islands;
	AbutIslandMembers *members;        /* (n_islands), capacity n_moving */
	int *island_of;                    /* (n_moving) by model order */
	AbutIslandMembers *members_before; /* those before the last pairs were added in a step */
	int *island_before;
	AbutBodyWork **moving; /* (n_moving) by island */
	int *by_island;        /* (n_active) places in `active`, by island */
	int *largest_first;    /* (n_islands) order of solving */
	AbutBlockPattern lone; /* of a body alone */
	int n_patterns;
	AbutBlockPattern *patterns; /* (n_patterns = n_moving) of the islands of several bodies */
	int (*coupled)[2];          /* (capacity) bodies of an island's pairs */
	uint64_t *partitioned;      /* (n_partitioned) keys of the active pairs when the islands were made last */
	int n_partitioned;          /* < 0: never */
	/* Threads. */
	int n_threads;
	AbutThreadPool *pool;   /* NULL for one thread */
	AbutIsland *islands;    /* (n_threads) */
	AbutLcpWork lcp;        /* of method lcp */
	AbutGradient *gradient; /* of the step under way; NULL: not asked for */
	int n_reported;         /* contacts of the last step: the first of `active` */
	void *memory;           /* of the arrays whose length the model gives */
};

/* The candidate of an island's contact. */
static inline int abut_island_candidate(const AbutWorkspace *w, const AbutIslandMembers *members, int contact)
{
	return w->active[w->by_island[members->first_contact + contact]];
}

/* Room for as many candidates in all arrays; what is in them stays. */
AbutStatus abut_workspace_reserve(AbutWorkspace *workspace, int candidates);

#endif
