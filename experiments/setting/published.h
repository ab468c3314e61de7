/* Finds published results of the two planar benchmarks of the single-level paper (figures 9 and 10). A polygon drops
 * onto a floor from 100 starts for each rate and kappa. A stack of two squares is at rest, with ten offsets. */
#pragma once

#include <stdbool.h>

#include "abut/scene.h"

enum { ABUT_PUBLISHED_RATES = 6, ABUT_PUBLISHED_KAPPAS = 6 };

extern const double abut_published_rates[ABUT_PUBLISHED_RATES]; /* Hz */
extern const double abut_published_kappas[ABUT_PUBLISHED_KAPPAS];

typedef enum AbutPublishedFigure {
	ABUT_PUBLISHED_FAILED,     /* drop: share of failed runs */
	ABUT_PUBLISHED_ITERATIONS, /* drop: mean over the steps; the last check of a step counts as an iteration */
	ABUT_PUBLISHED_VIOLATION,  /* drop: mean over the runs of the largest max(1 - alpha, 0) */
	ABUT_PUBLISHED_LINEAR,     /* stack: mean of (|x| + |z|) / 2, kg m/s */
	ABUT_PUBLISHED_ANGULAR,    /* stack: mean of |about y|, kg m^2/s */
	ABUT_PUBLISHED_FIGURES
} AbutPublishedFigure;

/* Published figures for one rate and kappa, of single-level or bilevel. */
typedef struct AbutPublished {
	double of[ABUT_PUBLISHED_FIGURES];
} AbutPublished;

/* Finds the figures for a rate in Hz and a kappa. Returns false if nothing was published for them. */
bool abut_published_find(AbutMethod method, double rate, double kappa, AbutPublished *out);
