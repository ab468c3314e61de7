/* An observer of the islands while a step is solved; the derivative of a step uses it. */
#pragma once

#include "dynamics/step/workspace.h"

typedef struct AbutStepWatch {
	void *who; /* passed to both functions, which are called by the threads that solve the islands */
	/* Called when the island begins or restarts its step. */
	void (*restart)(void *who, const AbutWorkspace *w, const AbutIslandMembers *members);
	/* Called when a part of the island's step is solved but not stored yet: problem and bodies are at the solution.
	 * `island` is an AbutLcpIsland for methods lcp and convex, otherwise an AbutIsland. */
	void (*solved)(void *who, const AbutWorkspace *w, const AbutIslandMembers *members, void *island,
	               const AbutStepInfo *info);
} AbutStepWatch;
