/* Defines the contents of a loaded sweep. An axis consists of values; a value is a label with overrides. */
#pragma once

#include "experiments/sweep/draw.h"
#include "experiments/sweep/sweep.h"

/* "path=value" as abut_scene_load takes it. Both strings are owned. */
typedef struct AbutSweepOverride {
	char *text;
	char *place; /* its path in the spec */
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
	char *path, *text; /* path and content of the file, owned */
	size_t length;
	AbutSweepDraws random; /* in addition to the distributions of all scenes */
} AbutSweepScene;

/* A sweep. A run applies, in this order: `overrides`, the overrides of its value on each axis, and the draws of
 * `random` and of the scene's own distributions. */
struct AbutSweep {
	AbutSource source;
	AbutJson *root;
	char name[ABUT_NAME_MAX + 1];
	char digest[ABUT_SWEEP_DIGEST_SIZE]; /* of spec, scenes and seeds: 16 hexadecimal digits */
	unsigned long long first_seed;
	long seed_count, run_count;
	double stands_within; /* m, allowed distance of `stood` in measures.h; 0: not measured */
	AbutSweepOverrides overrides;
	AbutSweepDraws random;
	int n_axes, axis_capacity;
	AbutSweepAxis *axes;
	int n_scenes, scene_capacity;
	AbutSweepScene *scenes; /* one for each value of the scene axis */
};
