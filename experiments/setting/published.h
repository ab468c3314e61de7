/* Published results of the two planar benchmarks of the single-level paper (figures 9 and 10): a polygon that drops
 * onto a floor, 100 starts a cell, and a stack of two squares at rest, ten offsets. */
#pragma once

#include <stdbool.h>

#include "abut/scene.h"

enum { ABUT_PUBLISHED_RATES = 6, ABUT_PUBLISHED_KAPPAS = 6 };

extern const double abut_published_rates[ABUT_PUBLISHED_RATES]; /* Hz */
extern const double abut_published_kappas[ABUT_PUBLISHED_KAPPAS];

typedef enum AbutPublishedFigure {
	ABUT_PUBLISHED_FAILED,     /* drop: share of the runs */
	ABUT_PUBLISHED_ITERATIONS, /* drop: mean over the steps, in which the last check counts as one */
	ABUT_PUBLISHED_VIOLATION,  /* drop: largest max(1 - alpha, 0) of a run, mean */
	ABUT_PUBLISHED_LINEAR,     /* stack: mean momentum, kg m/s: (|x| + |z|) / 2 */
	ABUT_PUBLISHED_ANGULAR,    /* stack: mean momentum, kg m^2/s: |about y| */
	ABUT_PUBLISHED_FIGURES
} AbutPublishedFigure;

/* Published figures of one rate and kappa, single-level or bilevel. */
typedef struct AbutPublished {
	double of[ABUT_PUBLISHED_FIGURES];
} AbutPublished;

/* Finds the figures for a rate in Hz and a kappa; false when nothing was published there. */
bool abut_published_find(AbutMethod method, double rate, double kappa, AbutPublished *out);
