/* Runs the planar stack published with the single-level paper (figure 10), step by step through the library alone. Two
 * squares, here cubes kept in their plane, are at rest for 1 s in ten offsets, with `preset: paper`. */
#pragma once

#include "abut/scene.h"

/* A run ends with its first unsolved step. */
typedef struct PublishedCell {
	long runs, failed_runs, steps;
	double iterations; /* mean over the steps */
	int iterations_max;
	double violation; /* largest max(1 - alpha, 0) of a run, mean */
	double linear,
	    angular; /* mean over the steps taken, then the runs, of the momentum: (|x| + |z|) / 2, |about y| */
} PublishedCell;

/* The rate is in Hz. Returns false if a scene is refused (message on stderr). */
bool published_stack(AbutMethod method, double rate, double kappa, PublishedCell *cell);
