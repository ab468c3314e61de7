/* The room in which a thread solves one island after the other. */
#ifndef DYNAMICS_ISLAND_ISLAND_H
#define DYNAMICS_ISLAND_ISLAND_H

#include "collision/scaling/scaling.h"
#include "dynamics/island/problem.h"
#include "dynamics/pairs/islands.h"
#include "solver/ncp/interior_point.h"
#include "solver/ncp/semismooth.h"

typedef struct AbutIsland AbutIsland;

/* How a method solves an island's problem, where the solver does not take it as it is: from the iterate and back to it.
 */
typedef struct AbutIslandSolver {
	void (*path)(AbutIsland *island, const AbutPathOptions *options, AbutSolveReport *report);
	void (*exact)(AbutIsland *island, const AbutExactOptions *options, AbutSolveReport *report);
	double (*kappa)(const AbutIsland *island); /* at which it solves what is not in its own problem */
} AbutIslandSolver;

/* A place for the iterate's unknowns, duals and slacks. */
typedef struct AbutKeptPoint {
	double *y, *z, *s; /* (n_y), (n_z), (n_z) */
} AbutKeptPoint;

struct AbutIsland {
	AbutContactProblem problem;
	AbutNcp ncp;
	AbutIterate iterate;
	AbutKeptPoint path;  /* the interior point's end, while the finish is tried */
	AbutKeptPoint share; /* the solution for a smaller share of load or friction (degrees.c) */
	AbutKeptPoint start; /* one start, while another is tried (start_turning.c) */
	AbutKeptPoint alone; /* a collision problem that is solved alone (collision_alone.c) */
	AbutScalingProblem scaling;
	const AbutIslandSolver *solver; /* NULL: abut_solve_path and abut_solve_exact of `ncp` */
	void *method;                   /* of the method's own, see its row; NULL: nothing */
	bool warm;                      /* the bodies have a last solution */
	bool doubt_speed; /* a solution with a body much faster than before is another root, until more starts lead to
	                     it */
	double unrest;    /* natural residual of the last solution in this step; INFINITY without one */
	bool resume; /* the bodies' present velocities are those of a solution of this step, before pairs were added */
	/* Memory. */
	AbutIslandSize room;
	int *chosen;         /* (n_contacts) candidates of the contacts */
	bool *is_chosen;     /* (n_contacts) of the island's candidates, when a part of a step is taken */
	AbutCone *cones;     /* (n_cones) */
	double *side_memory; /* (n_side) of every side: abut_side_memory */
	AbutBlockMemory blocks;
	void *memory;
};

/* Makes room for islands up to `size`; what is in it is lost when it grows. */
AbutStatus abut_island_reserve(const AbutModel *model, AbutIsland *island, const AbutIslandSize *size);
/* Copies the iterate to a place and back. */
void abut_island_keep(const AbutIsland *island, const AbutKeptPoint *point);
void abut_island_take_back(AbutIsland *island, const AbutKeptPoint *point);
/* Frees the island's room. `method` is the row of the model, which may be gone. */
void abut_island_destroy(const AbutMethodRow *method, AbutIsland *island);

#endif
