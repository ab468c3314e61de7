/* Published results of the two planar benchmarks of the single-level paper (figures 9 and 10): a polygon that drops
 * onto a floor, 100 starts a cell, and a stack of two squares at rest, ten offsets. */
#pragma once

#include <stdbool.h>

#include "abut/scene.h"

enum { ABUT_PUBLISHED_RATES = 6, ABUT_PUBLISHED_KAPPAS = 6 };

extern const double abut_published_rates[ABUT_PUBLISHED_RATES]; /* Hz */
extern const double abut_published_kappas[ABUT_PUBLISHED_KAPPAS];

/* Published figures of one rate and kappa, single-level or bilevel. */
typedef struct AbutPublished {
	double failed;          /* drop: share of the runs */
	double iterations;      /* drop: mean over the steps, in which the last check counts as one */
	double violation;       /* drop: largest max(1 - alpha, 0) of a run, mean */
	double linear, angular; /* stack: mean momentum, kg m/s and kg m^2/s: (|x| + |z|) / 2, |about y| */
} AbutPublished;

/* Finds the figures for a rate in Hz and a kappa; false when nothing was published there. */
bool abut_published_find(AbutMethod method, double rate, double kappa, AbutPublished *out);
