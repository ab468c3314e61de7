/* The contents of a loaded sweep: axes of values, where a value is a label with its overrides. */
#ifndef EXPERIMENTS_SWEEP_SPEC_PARTS_H
#define EXPERIMENTS_SWEEP_SPEC_PARTS_H

#include <stdint.h>

#include "experiments/sweep/draw.h"
#include "experiments/sweep/sweep.h"

/* "path=value" as abut_scene_load takes it. Both strings are owned. */
typedef struct AbutSweepOverride {
	char *text;
	char *place; /* path of it in the spec */
} AbutSweepOverride;

typedef struct AbutSweepOverrides {
	int count, capacity;
	AbutSweepOverride *items;
} AbutSweepOverrides;

typedef struct AbutSweepValue {
	char *label; /* owned */
	AbutSweepOverrides overrides;
} AbutSweepValue;

typedef struct AbutSweepAxis {
	char *name; /* owned */
	int count, capacity;
	AbutSweepValue *values;
} AbutSweepAxis;

/* The scene of one value of the scene axis. */
typedef struct AbutSweepScene {
	char *path, *text; /* of the file, owned */
	size_t length;
	AbutSweepDraws random; /* besides those of all scenes */
} AbutSweepScene;

/* A sweep. A run applies, in this order: `overrides`, those of its value on each axis, and the draws of `random` and of
 * the scene's own distributions. */
struct AbutSweep {
	AbutSource source;
	AbutJson *root;
	char name[ABUT_NAME_MAX + 1];
	char digest[ABUT_SWEEP_DIGEST_SIZE]; /* of spec, scenes and seeds: 16 hexadecimal digits */
	unsigned long long first_seed;
	long seed_count, run_count;
	double stands_within; /* m; 0: not asked */
	AbutSweepOverrides overrides;
	AbutSweepDraws random;
	int n_axes, axis_capacity;
	AbutSweepAxis *axes;
	int n_scenes, scene_capacity;
	AbutSweepScene *scenes; /* as many as the scene axis has values */
};

#endif
