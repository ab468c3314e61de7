/* The two planar benchmarks published with the single-level paper (its figures 9 and 10), replicated with
 * `preset: paper`, beside the figures that were published. */
#ifndef RELIABILITY_PUBLISHED_H
#define RELIABILITY_PUBLISHED_H

#include "abut/scene.h"

enum { PUBLISHED_RATES = 6, PUBLISHED_KAPPAS = 6 };

extern const double published_rates[PUBLISHED_RATES]; /* Hz */
extern const double published_kappas[PUBLISHED_KAPPAS];

/* Published for one rate (row) and kappa (column), single-level or bilevel. */
typedef struct PublishedFigures {
	double failed;          /* drop: share of the runs */
	double iterations;      /* drop: mean over the steps, in which the last check counts as one */
	double linear, angular; /* stack: mean momentum, kg m/s and kg m^2/s */
} PublishedFigures;

PublishedFigures published_figures(AbutMethod method, int rate, int kappa);

/* What comes out here. A run ends with its first step that is not solved. */
typedef struct PublishedCell {
	long runs, failed_runs, steps;
	double iterations; /* mean over the steps, of factorisations: one less than the published count */
	int iterations_max;
	double violation; /* largest max(1 - alpha, 0) of a run, mean */
	double linear,
	    angular; /* mean over the steps taken, then the runs, of the momentum: (|x| + |z|) / 2, |about y| */
} PublishedCell;

/* Drop: a polygon with random start onto the floor, 1.5 s; run i is that of seed i. Stack: two squares at rest for 1 s,
 * one for each of ten offsets. False when a scene is refused (message on stderr). */
bool published_drop(AbutMethod method, int rate, int kappa, int runs, PublishedCell *cell);
bool published_stack(AbutMethod method, int rate, int kappa, PublishedCell *cell);

/* Both, all cells, as tables on stdout. */
bool published_print(AbutMethod method, int runs);

#endif
