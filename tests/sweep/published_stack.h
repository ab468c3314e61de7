/* The planar stack published with the single-level paper (its figure 10), step by step through the library alone: two
 * squares, here cubes kept to their plane, at rest for 1 s in ten offsets, with `preset: paper`. */
#pragma once

#include "abut/scene.h"

/* A run ends with its first step that is not solved. */
typedef struct PublishedCell {
	long runs, failed_runs, steps;
	double iterations; /* mean over the steps */
	int iterations_max;
	double violation; /* largest max(1 - alpha, 0) of a run, mean */
	double linear,
	    angular; /* mean over the steps taken, then the runs, of the momentum: (|x| + |z|) / 2, |about y| */
} PublishedCell;

/* Rate in Hz. False when a scene is refused (message on stderr). */
bool published_stack(AbutMethod method, double rate, double kappa, PublishedCell *cell);
