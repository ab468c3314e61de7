/* The parts of the cascade's tries. Each begins and ends at the island's iterate and adds its iterations to `info`. */
#pragma once

#include "dynamics/island/island.h"
#include "dynamics/island/problem.h"

/* Options of the semismooth Newton method for each kind of start (dynamics/solve/tries.c). */
extern const AbutExactOptions abut_exact_from_last, abut_exact_from_loose_end, abut_exact_from_tight_end;

/* A path is given up after `steps` consecutive steps shorter than `step`. */
typedef struct AbutPatience {
	int steps;
	double step;
} AbutPatience;
extern const AbutPatience abut_warm_patience, abut_cold_patience;

/* Returns whether the contacts, if all of them stick, have more conditions than the bodies have degrees of freedom. */
bool abut_stage_redundant(const AbutContactProblem *problem);
/* Returns whether the contacts are redundant and the last solution was not exact at some of them. Once all conditions
 * are met, they stay met. */
bool abut_stage_unmet(const AbutIsland *island);
/* Returns the natural residual below which a point counts as a solution of such unmet contacts. */
double abut_stage_nearly_exact(const AbutModel *model, const AbutIsland *island);
/* Returns whether the last point of the semismooth Newton method counts as a solution of unmet contacts. */
bool abut_stage_is_nearly_exact(const AbutModel *model, const AbutIsland *island, const AbutStepInfo *info);

/* Returns `from` with more iterations, in proportion to the contacts of a chain, and with the model's tolerance as its
 * goal if that is smaller. */
AbutExactOptions abut_stage_options(const AbutModel *model, const AbutExactOptions *from,
                                    const AbutContactProblem *problem);

/* Returns whether the solution is a root in which bodies are thrown out at high speed. */
bool abut_stage_thrown_out(const AbutIsland *island);

/* Follows the path to kappa. Returns whether it reaches kappa. */
bool abut_stage_path(AbutIsland *island, double kappa, double tolerance, double boundary, int iterations,
                     const AbutPatience *patience, AbutStepInfo *info);
/* Runs the semismooth Newton method. Sets `start`, unless NULL, to the residual at the start. */
bool abut_stage_exact(AbutIsland *island, const AbutExactOptions *options, double *start, AbutStepInfo *info);
double abut_stage_natural(const AbutStepInfo *info); /* natural residual at the last point */
/* Runs the semismooth Newton method from a tight end of the path. */
bool abut_stage_finish(const AbutModel *model, AbutIsland *island, AbutStepInfo *info);
/* Ends the step at a point with this natural residual. Always returns true. */
bool abut_stage_end_at(const AbutIsland *island, double natural, AbutStepInfo *info);
/* Returns the kappa to report for a step that ends at `kappa`. It may be larger, if the method's own collision problems
 * end at a larger kappa. */
double abut_stage_kappa(const AbutIsland *island, double kappa);

/* Starts apart, from free flight; in the published setting, starts cold, from rest. */
void abut_stage_start_flight(const AbutModel *model, AbutIsland *island);

/* Follows the path to the model's kappa and then, if required, finds the exact solution. Returns whether the step is
 * solved as required. */
bool abut_stage_path_and_finish(const AbutModel *model, AbutIsland *island, double boundary, int iterations,
                                const AbutPatience *patience, AbutStepInfo *info);
