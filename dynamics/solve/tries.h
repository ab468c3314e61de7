/* What the tries of cascade.c are made of. Iterations are counted in `info`, the island's iterate is where each begins
 * and ends. */
#ifndef DYNAMICS_SOLVE_TRIES_H
#define DYNAMICS_SOLVE_TRIES_H

#include "dynamics/island/island.h"
#include "dynamics/island/problem.h"

/* The semismooth Newton from where it is tried (dynamics/solve/tries.c). */
extern const AbutExactOptions abut_exact_from_last, abut_exact_from_loose_end, abut_exact_from_tight_end;

/* When a path is given up: after so many steps in a row that are shorter than `step`. */
typedef struct AbutPatience {
	int steps;
	double step;
} AbutPatience;
extern const AbutPatience abut_warm_patience, abut_cold_patience;

/* Whether the contacts, if they all stick, ask for more than the bodies have freedoms; and whether the last step has
 * not met them: those that are met once stay so. */
bool abut_stage_redundant(const AbutContactProblem *problem);
bool abut_stage_unmet(const AbutIsland *island);
/* Natural residual below which a point may count as a solution of unmet contacts; and whether the one that a semismooth
 * Newton has ended at does. */
double abut_stage_nearly_exact(const AbutModel *model, const AbutIsland *island);
bool abut_stage_is_nearly_exact(const AbutModel *model, const AbutIsland *island, const AbutStepInfo *info);

/* Options with more iterations for the contacts of a chain. */
AbutExactOptions abut_stage_for_chain(const AbutExactOptions *from, const AbutContactProblem *problem);

/* Whether a solution is a root with bodies thrown out at speed. */
bool abut_stage_thrown_out(const AbutIsland *island);

/* The path to kappa; true when it is there. */
bool abut_stage_path(AbutIsland *island, double kappa, double tolerance, double boundary, int iterations,
                     const AbutPatience *patience, AbutStepInfo *info);
/* The semismooth Newton. `start`, unless NULL: the residual at the beginning. */
bool abut_stage_exact(AbutIsland *island, const AbutExactOptions *options, double *start, AbutStepInfo *info);
double abut_stage_natural(const AbutStepInfo *info); /* natural residual where that has ended */
/* The same from a tight end of the path. */
bool abut_stage_finish(AbutIsland *island, AbutStepInfo *info);
/* A step ends at a point of this natural residual; returns true. */
bool abut_stage_end_at(const AbutIsland *island, double natural, AbutStepInfo *info);
/* The kappa to report of one that ends at `kappa`. */
double abut_stage_kappa(const AbutIsland *island, double kappa);

/* The start from free flight, from rest in the published setting. */
void abut_stage_start_flight(const AbutModel *model, AbutIsland *island);

/* The path to the model's kappa, and from there to the exact solution when that is asked for. True when the step is
 * solved as asked. */
bool abut_stage_path_and_finish(const AbutModel *model, AbutIsland *island, double boundary, int iterations,
                                const AbutPatience *patience, AbutStepInfo *info);

#endif
