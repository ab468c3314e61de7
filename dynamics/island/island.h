/* The room in which a thread solves islands, one after the other. */
#ifndef DYNAMICS_ISLAND_ISLAND_H
#define DYNAMICS_ISLAND_ISLAND_H

#include "collision/scaling/scaling.h"
#include "dynamics/island/problem.h"
#include "dynamics/pairs/islands.h"
#include "solver/ncp/interior_point.h"
#include "solver/ncp/semismooth.h"

typedef struct AbutIsland AbutIsland;

/* How a method solves an island's problem if the solver does not do so directly: from the iterate and back to it. */
typedef struct AbutIslandSolver {
	void (*path)(AbutIsland *island, const AbutPathOptions *options, AbutSolveReport *report);
	void (*exact)(AbutIsland *island, const AbutExactOptions *options, AbutSolveReport *report);
	double (*kappa)(const AbutIsland *island); /* kappa of the collision problems that it solves itself */
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
	void *method;                   /* the method's own, see its row; NULL: none */
	bool warm;                      /* the bodies have a last solution */
	bool doubt_speed;               /* reject a body three times as fast as before, until other starts agree */
	double unrest;                  /* natural residual of the last solution in this step; INFINITY without one */
	bool resume; /* the bodies' present velocities solve this step without the pairs that were added */
	/* Memory. */
	AbutIslandSize room;
	int *chosen;         /* (n_contacts) candidates of the contacts */
	bool *is_chosen;     /* (n_contacts) which contacts a part of a step has */
	AbutCone *cones;     /* (n_cones) */
	double *side_memory; /* (n_side) of all sides: abut_side_memory */
	AbutBlockMemory blocks;
	void *memory;
};

/* Makes room for islands up to `size`. Growing discards the contents. */
AbutStatus abut_island_reserve(const AbutModel *model, AbutIsland *island, const AbutIslandSize *size);
/* Copies the iterate to `point`. */
void abut_island_keep(const AbutIsland *island, const AbutKeptPoint *point);
/* Copies `point` to the iterate. */
void abut_island_take_back(AbutIsland *island, const AbutKeptPoint *point);
/* Frees the island's room. `method` is the row of the model, which may already be destroyed. */
void abut_island_destroy(const AbutMethodRow *method, AbutIsland *island);

#endif
