/* An observer of the islands while a step is solved; the derivative of a step uses it. */
#ifndef DYNAMICS_STEP_WATCH_H
#define DYNAMICS_STEP_WATCH_H

#include "dynamics/step/workspace.h"

typedef struct AbutStepWatch {
	void *who; /* passed to both functions, which the threads that solve the islands call */
	/* Called when the island begins its step, or begins it again. */
	void (*restart)(void *who, const AbutWorkspace *w, const AbutIslandMembers *members);
	/* Called when a part of the island's step is solved but not kept yet: problem and bodies are at the solution.
	 * `island` is what the method solves in: AbutIsland, or AbutLcpIsland of lcp and convex. */
	void (*solved)(void *who, const AbutWorkspace *w, const AbutIslandMembers *members, void *island,
	               const AbutStepInfo *info);
} AbutStepWatch;

#endif
