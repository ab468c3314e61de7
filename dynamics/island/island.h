/* The memory in which a thread solves islands, one after the other. */
#pragma once

#include "collision/scaling/scaling.h"
#include "dynamics/body/body.h"
#include "dynamics/island/problem.h"
#include "dynamics/joint/setup.h"
#include "dynamics/pairs/islands.h"
#include "solver/ncp/interior_point.h"
#include "solver/ncp/semismooth.h"

typedef struct AbutIsland AbutIsland;

/* Functions of a method that solves an island's problem itself, instead of by the solver. They start from the iterate
 * and write their result to it. */
typedef struct AbutIslandSolver {
	void (*path)(AbutIsland *island, const AbutPathOptions *options, AbutSolveReport *report);
	void (*exact)(AbutIsland *island, const AbutExactOptions *options, AbutSolveReport *report);
	double (*kappa)(const AbutIsland *island); /* kappa of the collision problems that the method solves itself */
} AbutIslandSolver;

/* A copy of the iterate's unknowns, duals and slacks. */
typedef struct AbutKeptPoint {
	double *y, *z, *s; /* (n_y), (n_z), (n_z) */
} AbutKeptPoint;

struct AbutIsland {
	AbutContactProblem problem;
	AbutNcp ncp;
	AbutIterate iterate;
	AbutKeptPoint path;        /* end of the path, while the finish is tried */
	AbutKeptPoint share;       /* solution for a smaller share of load or friction (degrees.c) */
	double *start_y;           /* a start, while another is tried (start_turning.c) */
	double *alone_y, *alone_z; /* a collision problem solved alone (collision_alone.c) */
	AbutScalingProblem scaling;
	const AbutIslandSolver *solver; /* NULL: abut_solve_path and abut_solve_exact solve `ncp` */
	void *method;                   /* memory of the method, see its row; NULL: none */
	AbutStopper *stop;              /* ends the solve early; NULL: never */
	bool warm;                      /* the bodies have a last step */
	bool doubt_speed; /* reject a body three times as fast as before; false for the slow rows of the cascade */
	double unrest;    /* natural residual at the start from the last solution; INFINITY without such a start */
	bool resume;      /* pairs were added after this step was solved without them: start from that solution */
	/* Memory, and the sizes for which it is reserved. */
	AbutIslandSize room;
	int *chosen;         /* (n_contacts) candidate of each contact that is solved for */
	bool *is_chosen;     /* (n_contacts) whether a part of the step solves for the contact */
	AbutCone *cones;     /* (n_cones) */
	double *side_memory; /* (n_side) memory of all sides, see abut_side_memory */
	AbutBlockMemory blocks;
	void *memory;
};

/* Returns whether the model solves islands with dense matrices and one of this size would be too large. */
bool abut_island_too_large(const AbutModel *model, const AbutIslandSize *size);
/* Reserves memory for islands up to `size`. Growing discards the contents. */
AbutStatus abut_island_reserve(const AbutModel *model, AbutIsland *island, const AbutIslandSize *size);
/* Copies the iterate to `point`. */
void abut_island_keep(const AbutIsland *island, const AbutKeptPoint *point);
/* Copies `point` to the iterate. */
void abut_island_take_back(AbutIsland *island, const AbutKeptPoint *point);
/* Frees the island's memory. `method` is the row of the model, which may already be destroyed. */
void abut_island_destroy(const AbutMethodRow *method, AbutIsland *island);

/* The joints and couplings of an island: their indices, and the memory and motors' targets of all of the model. */
typedef struct AbutIslandJoints {
	int n;
	const int *list; /* (n) */
	AbutJointMemory *memory;
	const double *targets;
	int n_couplings;
	const int *couplings; /* (n_couplings) */
	AbutCouplingMemory *coupling_memory;
} AbutIslandJoints;

/* The edges of an island's problem: the candidates in island->chosen (n_contacts), and the joints. */
typedef struct AbutIslandChoice {
	int n_contacts;
	AbutIslandJoints joints;
} AbutIslandChoice;

/* Sets up joints at `place`, after the contacts, which becomes the place after them. */
void abut_island_setup_joints(const AbutModel *model, AbutBodyWork *bodies, const AbutIslandJoints *joints,
                              double timestep, AbutJointPlace *place, AbutContactProblem *problem);
/* Sets up the island's problem for a timestep. */
void abut_island_setup(const AbutModel *model, AbutBodyWork *bodies, AbutNearPairs *pairs,
                       const AbutPartition *partition, const AbutIslandMembers *members, const AbutIslandChoice *choice,
                       double timestep, AbutIsland *island);
