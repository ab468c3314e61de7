/* The parts of the tries in cascade.c. Iterations are counted in `info`; each part begins and ends in the island's
 * iterate. */
#ifndef DYNAMICS_SOLVE_TRIES_H
#define DYNAMICS_SOLVE_TRIES_H

#include "dynamics/island/island.h"
#include "dynamics/island/problem.h"

/* Options of the semismooth Newton by its start (dynamics/solve/tries.c). */
extern const AbutExactOptions abut_exact_from_last, abut_exact_from_loose_end, abut_exact_from_tight_end;

/* When to give up a path: after so many consecutive steps shorter than `step`. */
typedef struct AbutPatience {
	int steps;
	double step;
} AbutPatience;
extern const AbutPatience abut_warm_patience, abut_cold_patience;

/* Returns whether the contacts, if they all stick, ask for more than the bodies have freedoms; and whether the last
 * step has not met them: contacts met once stay met. */
bool abut_stage_redundant(const AbutContactProblem *problem);
bool abut_stage_unmet(const AbutIsland *island);
/* Returns the natural residual below which a point may count as a solution of unmet contacts; and whether the end point
 * of a semismooth Newton does. */
double abut_stage_nearly_exact(const AbutModel *model, const AbutIsland *island);
bool abut_stage_is_nearly_exact(const AbutModel *model, const AbutIsland *island, const AbutStepInfo *info);

/* Returns options with more iterations for the contacts of a chain. */
AbutExactOptions abut_stage_for_chain(const AbutExactOptions *from, const AbutContactProblem *problem);

/* Returns whether a solution is a root with bodies thrown out. */
bool abut_stage_thrown_out(const AbutIsland *island);

/* Follows the path to kappa; returns whether it got there. */
bool abut_stage_path(AbutIsland *island, double kappa, double tolerance, double boundary, int iterations,
                     const AbutPatience *patience, AbutStepInfo *info);
/* Runs the semismooth Newton. `start`, unless NULL: the residual at the beginning. */
bool abut_stage_exact(AbutIsland *island, const AbutExactOptions *options, double *start, AbutStepInfo *info);
double abut_stage_natural(const AbutStepInfo *info); /* natural residual at its end */
/* Does the same from a tight end of the path. */
bool abut_stage_finish(AbutIsland *island, AbutStepInfo *info);
/* Ends a step at a point of this natural residual; returns true. */
bool abut_stage_end_at(const AbutIsland *island, double natural, AbutStepInfo *info);
/* Returns the kappa to report for an end at `kappa`. */
double abut_stage_kappa(const AbutIsland *island, double kappa);

/* Starts from free flight; from rest in the published setting. */
void abut_stage_start_flight(const AbutModel *model, AbutIsland *island);

/* Follows the path to the model's kappa, and from there to the exact solution if requested. Returns true if the step is
 * solved as requested. */
bool abut_stage_path_and_finish(const AbutModel *model, AbutIsland *island, double boundary, int iterations,
                                const AbutPatience *patience, AbutStepInfo *info);

#endif
