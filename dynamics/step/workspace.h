/* Scratch memory of one world: its bodies during a step, the near pairs, their partition into islands, and for each
 * thread the memory to solve one island. */
#pragma once

#include "base/stop.h"
#include "base/thread_pool.h"
#include "dynamics/body/body.h"
#include "dynamics/island/island.h"
#include "dynamics/pairs/islands.h"
#include "dynamics/state/state.h"

/* Most bodies for which the memory of all contacts and islands is reserved at creation. */
enum { ABUT_RESERVED_BODIES = 64 };

struct AbutWorkspace {
	const AbutModel *model;
	const AbutMethodRow *row;      /* row of the model's method; kept because the workspace may outlive the model */
	AbutBodyWork *bodies;          /* (n_bodies + 1); the last one is the world */
	AbutJointMemory *joints;       /* (n_joints) memory at the end of the step, likewise */
	AbutCouplingMemory *couplings; /* (n_couplings) likewise */
	double *loads;                 /* (n_joints x 6) impulses of joints, abut_joint_add_load; NULL: not measured */
	AbutMotion *motion;            /* (n_bodies) motion at the end of the step, until all islands are solved */
	AbutNearPairs pairs;
	AbutPartition partition;
	AbutContact *results; /* (pairs.n_candidates), capacity n_results */
	int n_results;
	int n_threads;
	AbutThreadPool *pool; /* NULL for one thread */
	AbutIsland *islands;  /* (n_threads) */
	void *method;         /* memory of the method, see its row; NULL: none */
	int n_reported;       /* number of contacts of the last step, the first ones in pairs.active */
	AbutStopper own_stop; /* of a workspace that is used alone */
	AbutStopper *stop;    /* asked during steps: own_stop or that of a batch; NULL: steps run to their end */
	void *memory;         /* for the arrays whose length depends only on the model */
};

/* Returns the index of the candidate of an island's contact. */
static inline int abut_island_candidate(const AbutWorkspace *w, const AbutIslandMembers *members, int contact)
{
	return w->pairs.active[w->partition.by_island[members->first_contact + contact]];
}

/* Returns the joints and couplings of an island, with the motors' targets of the state. */
static inline AbutIslandJoints abut_island_joints(const AbutState *state, const AbutWorkspace *w,
                                                  const AbutIslandMembers *members)
{
	return (AbutIslandJoints){.n = members->size.n_joints,
	                          .list = &w->partition.joints[members->first_joint],
	                          .memory = w->joints,
	                          .targets = state->targets,
	                          .n_couplings = members->size.n_couplings,
	                          .couplings = &w->partition.couplings[members->first_coupling],
	                          .coupling_memory = w->couplings};
}

/* Makes room for the results of all candidates. */
AbutStatus abut_workspace_reserve_results(AbutWorkspace *workspace);

/* An observer of the islands while a step is solved; the derivative of a step uses it. */
typedef struct AbutStepWatch {
	void *who; /* passed to both functions, which are called by the threads that solve the islands */
	/* Called when the island begins or restarts its step. */
	void (*restart)(void *who, const AbutWorkspace *w, const AbutIslandMembers *members);
	/* Called when a part of the island's step is solved but not stored yet: problem and bodies are at the solution.
	 * `island` is an AbutLcpIsland for methods lcp and convex, otherwise an AbutIsland. */
	void (*solved)(void *who, const AbutWorkspace *w, const AbutIslandMembers *members, void *island,
	               const AbutStepInfo *info);
} AbutStepWatch;
