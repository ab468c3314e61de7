/* Scratch of one thread: the contact problem of a step, the solver's vectors, and the contacts of the last step. */
#ifndef DYNAMICS_WORKSPACE_H
#define DYNAMICS_WORKSPACE_H

#include "collision/scaling.h"
#include "dynamics/contact_problem.h"
#include "solver/interior_point.h"

enum {
	ABUT_HALVING_LEVELS = 6, /* of bodies that pass each other's size in a step */
	ABUT_RETRY_LEVELS = 3    /* of a step that is not solved */
};

struct AbutWorkspace {
	const AbutModel *model;
	AbutContactProblem problem;
	AbutNcp ncp;
	AbutIterate iterate;
	AbutBodyWork *bodies;      /* (n_moving + n_static): moving first, in order, then static */
	AbutBodyWork **body_of;    /* (n_bodies) */
	AbutContactWork *contacts; /* (n_pairs) capacity; the active ones come first */
	int (*block_pairs)[2];     /* (n_pairs) bodies of the active pairs */
	int *active, *analysed;    /* (n_pairs) active pairs now, and when the block system was analysed last */
	int n_active, n_analysed;  /* n_analysed < 0: never */
	AbutCone *cones;
	double *side_memory; /* B_lambda and eps_map of every side */
	AbutScalingProblem scaling;
	double *path_y, *path_z, *path_s; /* the interior point's end, kept while the finish is tried */
	AbutContact *results;             /* (n_pairs) */
	AbutState *saved[ABUT_HALVING_LEVELS];
	void *memory;
};

#endif
