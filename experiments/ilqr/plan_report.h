/* What experiments of planning tell of a plan: its progress and pictures of its motion. */
#ifndef EXPERIMENTS_ILQR_PLAN_REPORT_H
#define EXPERIMENTS_ILQR_PLAN_REPORT_H

#include "experiments/ilqr/reach.h"
#include "experiments/suite/frames.h"

/* A table with a row an iteration, of plans that have a name and a number. */
AbutTable *abut_plan_progress_table(AbutReport *report, const char *name);

typedef struct AbutPlanProgress {
	AbutTable *table;
	const char *plan;
	double number;
} AbutPlanProgress;

/* What a plan took and came to, as columns of a table of plans and as a plan's cells of them: kappa, cost, violation,
 * iterations, rounds and steps. */
void abut_plan_columns(AbutTable *table);
void abut_plan_cells(AbutTable *table, double kappa, const AbutReached *reached);

/* The `watch` of a plan, whose context is an AbutPlanProgress. */
void abut_plan_progress(void *context, const AbutReachProgress *progress);

/* Adds the bodies of a plan's trajectory `x` at `n` of its steps, as panels from `first` on. */
AbutStatus abut_plan_pictures(const AbutReach *reach, const double *x, int first, int n, const int *steps,
                              const char *label, const AbutView *view, AbutTable *table, AbutError *error);

#endif
