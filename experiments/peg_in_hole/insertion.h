/* Runs one fall of a square peg into a square hole. The hole is a static bundle of a floor and four boxes (two in a
 * planar run); the peg is a box. The clearance is the total of both sides, as a fraction of the peg's width. */
#pragma once

#include "io/run/run.h"

typedef struct AbutPeg {
	double width, length; /* of the peg, m */
	double depth, wall;   /* depth of the hole, thickness of its walls and floor, m */
	double mass;          /* kg */
	double push;          /* force downwards, besides its weight, N */
	double lean;          /* torque about y that leans the peg over in the hole, planar runs only, N m */
	double friction;
	double drop;     /* from the rim up to the lowest corner at the start, m; negative: inside */
	double reach;    /* share of the largest offsets and turns (place_peg in insertion.c) */
	double duration; /* s */
} AbutPeg;

/* One run of a peg. */
typedef struct AbutInsertion {
	double clearance;
	double timestep; /* s */
	bool planar;     /* motion in x and z only */
	unsigned long long seed;
} AbutInsertion;

/* The scene of a block and the peg. It points into itself; do not move it. */
enum { ABUT_INSERTION_BLOCK, ABUT_INSERTION_PEG, ABUT_INSERTION_BODIES, ABUT_INSERTION_PARTS = 5 };
typedef struct AbutInsertionScene {
	AbutShape *shapes[ABUT_INSERTION_PARTS + 1]; /* owned: the parts of the block, NULLs, and the peg last */
	const AbutShape *parts[ABUT_INSERTION_PARTS + 1];
	AbutBodyDef bodies[ABUT_INSERTION_BODIES];
	AbutSceneDef def;
} AbutInsertionScene;

typedef struct AbutInserted {
	AbutRunSummary summary;
	double depth; /* of the lowest corner below the rim at the end, m */
	double tilt;  /* at the end, rad */
} AbutInserted;

/* Returns how far the lowest corner of the peg is below the rim, m. */
double abut_insertion_depth(const AbutPeg *peg, const AbutBodyState *state);

AbutStatus abut_insertion_scene(const AbutPeg *peg, const AbutInsertion *insertion, AbutInsertionScene *out,
                                AbutError *error);
void abut_insertion_scene_free(AbutInsertionScene *scene); /* call it after a failure too */

/* Runs the insertion; `observer` may be NULL. */
AbutStatus abut_insertion_run(const AbutPeg *peg, const AbutInsertion *insertion, const AbutRunObserver *observer,
                              AbutInserted *out, AbutError *error);
