/* One run of a square peg that falls into a square hole. The hole is a static bundle of four boxes (two in a planar
 * run) and a floor; the peg is a box. The clearance is that of both sides together, as a fraction of the width of the
 * peg. */
#pragma once

#include "io/run/run.h"

typedef struct AbutPeg {
	double width, length; /* m */
	double depth, wall;   /* m, of the hole; of its walls and its floor, how thick */
	double mass;          /* kg */
	double push;          /* N, downwards, besides its weight */
	double lean;          /* N m about y, planar runs only: leans the peg over in the hole */
	double friction;
	double drop;     /* m, from the lowest corner to the rim at the start; negative: inside */
	double reach;    /* fraction of the largest offsets and turns (place_peg in insertion.c) */
	double duration; /* s */
} AbutPeg;

/* One run of it. */
typedef struct AbutInsertion {
	double clearance;
	double timestep; /* s */
	bool planar;     /* in x and z */
	unsigned long long seed;
} AbutInsertion;

/* The scene, a block and the peg; it points into itself. */
enum { ABUT_INSERTION_BLOCK, ABUT_INSERTION_PEG, ABUT_INSERTION_BODIES, ABUT_INSERTION_PARTS = 5 };
typedef struct AbutInsertionScene {
	AbutShape *shapes[ABUT_INSERTION_PARTS + 1]; /* owned: of the block, then NULLs, the peg last */
	const AbutShape *parts[ABUT_INSERTION_PARTS + 1];
	AbutBodyDef bodies[ABUT_INSERTION_BODIES];
	AbutSceneDef def;
} AbutInsertionScene;

typedef struct AbutInserted {
	AbutRunSummary summary;
	double depth; /* m, of the lowest corner below the rim, at the end */
	double tilt;  /* rad, at the end */
} AbutInserted;

/* Returns how far the lowest corner of the peg is below the rim, m. */
double abut_insertion_depth(const AbutPeg *peg, const AbutBodyState *state);

AbutStatus abut_insertion_scene(const AbutPeg *peg, const AbutInsertion *insertion, AbutInsertionScene *out,
                                AbutError *error);
void abut_insertion_scene_free(AbutInsertionScene *scene); /* also after a failure */

/* Runs the insertion; `observer` may be NULL. */
AbutStatus abut_insertion_run(const AbutPeg *peg, const AbutInsertion *insertion, const AbutRunObserver *observer,
                              AbutInserted *out, AbutError *error);
