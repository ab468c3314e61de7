/* Who is shown the islands of a step while it is solved: the derivative of a step hangs itself in here. */
#ifndef DYNAMICS_STEP_WATCH_H
#define DYNAMICS_STEP_WATCH_H

#include "dynamics/step/workspace.h"

typedef struct AbutStepWatch {
	void *who; /* of both functions; they are called by the threads that solve the islands */
	/* The island begins its step, or begins it again. */
	void (*restart)(void *who, const AbutWorkspace *w, const AbutIslandMembers *members);
	/* A part of the island's step has been solved and is not kept yet: the problem is evaluated at the solution,
	 * and the bodies are there. `island` is what the method solves in: AbutIsland, or AbutLcpIsland of lcp and
	 * convex. */
	void (*solved)(void *who, const AbutWorkspace *w, const AbutIslandMembers *members, void *island,
	               const AbutStepInfo *info);
} AbutStepWatch;

#endif
