/* The report on a plan: its progress and pictures of its motion. */
#pragma once

#include "experiments/ilqr/reach.h"
#include "experiments/suite/frames.h"

/* Adds a table with a row an iteration, for plans that have a name and a number. */
AbutTable *abut_plan_progress_table(AbutReport *report, const char *name);

typedef struct AbutPlanProgress {
	AbutTable *table;
	const char *plan;
	double number;
} AbutPlanProgress;

/* Adds the columns of a table of plans, and the cells of a plan: kappa, cost, violation, iterations, rounds and
 * steps. */
void abut_plan_columns(AbutTable *table);
void abut_plan_cells(AbutTable *table, double kappa, const AbutReached *reached);

/* Adds a row of progress: the `watch` of a plan, whose context is an AbutPlanProgress. */
void abut_plan_progress(void *context, const AbutReachProgress *progress);

/* Panels of a figure that show a plan at some of its steps. */
typedef struct AbutPlanPictures {
	AbutTable *table; /* abut_frames_table */
	const AbutView *view;
	const char *label; /* before the time of each */
	int first, n;      /* the number of the first panel, and how many there are */
	const int *steps;  /* (n) */
} AbutPlanPictures;

/* Adds the bodies of a plan's trajectory `x` at these steps. */
AbutStatus abut_plan_pictures(const AbutReach *reach, const double *x, const AbutPlanPictures *pictures,
                              AbutError *error);
