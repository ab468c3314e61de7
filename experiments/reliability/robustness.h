/* Runs the sweep of random scenes (random_scene.h), and prints its table and bounds. */
#pragma once

#include "experiments/reliability/random_scene.h"

typedef struct SweepOptions {
	unsigned long first, count; /* seeds */
	bool cold, dense, pyramid;
	Keep *keep; /* where failed steps are saved; NULL: nowhere */
} SweepOptions;

typedef struct Sweep {
	Tally kinds[RANDOM_SCENE_KINDS], total;
} Sweep;

/* Runs the scenes of all seeds. False when a scene or a step is refused (message on stderr). */
bool sweep_run(const SweepOptions *options, Sweep *sweep);
void sweep_print(const Sweep *sweep);

/* Bounds: the fraction of failed steps, and the mean iterations of a solve in warm-started runs. */
#define SWEEP_FAILURES_MOST 1e-5
#define SWEEP_ITERATIONS_MOST 5.0

typedef struct SweepBounds {
	bool failures, finite, iterations; /* whether each bound is met */
} SweepBounds;

SweepBounds sweep_bounds(const Sweep *sweep, bool cold);
void sweep_print_bounds(const Sweep *sweep, bool cold);
