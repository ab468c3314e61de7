/* Scratch of one thread: the contact problem of a step, the solver's vectors, and the contacts of the last step. */
#ifndef DYNAMICS_WORKSPACE_H
#define DYNAMICS_WORKSPACE_H

#include "collision/broad_phase.h"
#include "collision/scaling.h"
#include "dynamics/contact_problem.h"
#include "solver/interior_point.h"

/* Bodies that touch, directly or through others, are solved together; islands are solved apart. The vectors are views
 * into the workspace's, so that all solutions of a step stand side by side until it is committed. */
typedef struct AbutIsland {
	AbutContactProblem problem;
	AbutNcp ncp;
	AbutIterate iterate;
	double *path_y, *path_z, *path_s; /* the interior point's end, kept while the finish is tried */
	double *keep_y, *keep_z, *keep_s; /* the solution for a smaller share of load or friction (cascade.c) */
	AbutScalingProblem *scaling;      /* shared scratch */
} AbutIsland;

struct AbutWorkspace {
	const AbutModel *model;
	double timestep; /* of the part of a step under way */
	int n_islands;
	AbutIsland *islands;         /* (n_moving) capacity */
	int *island_of;              /* (n_moving) by model order; scratch of the partition before */
	AbutBodyWork **moving;       /* (n_moving) by island */
	AbutBodyWork *bodies;        /* (n_bodies) */
	AbutContactWork *contacts;   /* (n_pairs) capacity; the active ones, by island */
	AbutSphere *spheres;         /* (n_parts) bounding spheres, world */
	int *sweep_order;            /* (n_parts) of the broad phase */
	bool *is_active;             /* (n_pairs) */
	int *by_island;              /* (n_pairs) active pairs by island */
	int (*block_pairs)[2];       /* (n_pairs) bodies of an island's pairs */
	int *active, *partitioned;   /* (n_pairs) active pairs now, and when the islands were made last */
	int n_active, n_partitioned; /* n_partitioned < 0: never */
	AbutCone *cones;
	double *side_memory;    /* B_lambda and eps_map of every side */
	AbutBlockSystem system; /* of all bodies; an island's is a piece of it */
	AbutIterate iterate;    /* of all islands, end to end */
	double *path_y, *path_z, *path_s;
	double *keep_y, *keep_z, *keep_s;
	double *kernel_scratch;
	AbutScalingProblem scaling;
	AbutContact *results; /* (n_pairs) */
	AbutState *saved[ABUT_LEVELS];
	void *memory;
};

#endif
