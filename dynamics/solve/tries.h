/* The parts of the cascade's tries. Each starts and ends at the island's iterate and adds its iterations to `info`. */
#ifndef DYNAMICS_SOLVE_TRIES_H
#define DYNAMICS_SOLVE_TRIES_H

#include "dynamics/island/island.h"
#include "dynamics/island/problem.h"

/* Options of the semismooth Newton, by its start (dynamics/solve/tries.c). */
extern const AbutExactOptions abut_exact_from_last, abut_exact_from_loose_end, abut_exact_from_tight_end;

/* When to give up a path: after `steps` consecutive steps shorter than `step`. */
typedef struct AbutPatience {
	int steps;
	double step;
} AbutPatience;
extern const AbutPatience abut_warm_patience, abut_cold_patience;

/* Returns whether the contacts, if they all stick, have more conditions than the bodies have degrees of freedom. */
bool abut_stage_redundant(const AbutContactProblem *problem);
/* Returns whether the contacts are redundant and the last solution left some of them open. Contacts met once stay
 * met. */
bool abut_stage_unmet(const AbutIsland *island);
/* Returns the natural residual below which a point counts as a solution of unmet contacts. */
double abut_stage_nearly_exact(const AbutModel *model, const AbutIsland *island);
/* Returns whether the point where the semismooth Newton ended counts as such a solution. */
bool abut_stage_is_nearly_exact(const AbutModel *model, const AbutIsland *island, const AbutStepInfo *info);

/* Returns `from` with more iterations for the contacts of a chain. */
AbutExactOptions abut_stage_for_chain(const AbutExactOptions *from, const AbutContactProblem *problem);

/* Returns whether the solution is a root with bodies thrown out at speed. */
bool abut_stage_thrown_out(const AbutIsland *island);

/* Follows the path to kappa. Returns whether it gets there. */
bool abut_stage_path(AbutIsland *island, double kappa, double tolerance, double boundary, int iterations,
                     const AbutPatience *patience, AbutStepInfo *info);
/* Runs the semismooth Newton. Sets `start`, unless NULL, to the residual at its start. */
bool abut_stage_exact(AbutIsland *island, const AbutExactOptions *options, double *start, AbutStepInfo *info);
double abut_stage_natural(const AbutStepInfo *info); /* natural residual where it ended */
/* Runs the semismooth Newton from a tight end of the path. */
bool abut_stage_finish(AbutIsland *island, AbutStepInfo *info);
/* Ends the step at a point of this natural residual; returns true. */
bool abut_stage_end_at(const AbutIsland *island, double natural, AbutStepInfo *info);
/* Returns the kappa to report for a step that ends at `kappa`: a method's own collision problems may end at a larger
 * one. */
double abut_stage_kappa(const AbutIsland *island, double kappa);

/* Starts from free flight; in the published setting, from rest. */
void abut_stage_start_flight(const AbutModel *model, AbutIsland *island);

/* Follows the path to the model's kappa and then, if required, finds the exact solution. Returns whether the step is
 * solved as required. */
bool abut_stage_path_and_finish(const AbutModel *model, AbutIsland *island, double boundary, int iterations,
                                const AbutPatience *patience, AbutStepInfo *info);

#endif
