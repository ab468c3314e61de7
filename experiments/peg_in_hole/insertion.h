/* A square peg that falls into a square hole: one run. The hole is a static bundle, four boxes about it (of a planar
 * run two) and a floor; the peg is a box. The clearance is that of both sides together, as a share of the peg's width.
 */
#ifndef EXPERIMENTS_PEG_IN_HOLE_INSERTION_H
#define EXPERIMENTS_PEG_IN_HOLE_INSERTION_H

#include "io/run/run.h"

typedef struct AbutPeg {
	double width, length; /* m */
	double depth, wall;   /* m, of the hole; of its walls and its floor, how thick */
	double mass;          /* kg */
	double push;          /* N, downwards, besides its weight */
	double lean;          /* N m about y, planar runs only: what tips the peg over in the hole */
	double friction;
	double drop;  /* m, from the lowest corner to the rim at the start; negative: inside */
	double reach; /* share of the offsets and turns with which the peg can still enter: place_peg in insertion.c */
	double duration; /* s */
} AbutPeg;

/* One run of it. */
typedef struct AbutInsertion {
	double clearance;
	double timestep; /* s */
	bool planar;     /* in x and z */
	unsigned long long seed;
} AbutInsertion;

/* Its scene, which points into itself: a block and the peg. */
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

/* How far the peg's lowest corner is below the rim, m. */
double abut_insertion_depth(const AbutPeg *peg, const AbutBodyState *state);

AbutStatus abut_insertion_scene(const AbutPeg *peg, const AbutInsertion *insertion, AbutInsertionScene *out,
                                AbutError *error);
void abut_insertion_scene_free(AbutInsertionScene *scene); /* also of one that was not made */

/* Observed by `observer`, unless it is NULL. */
AbutStatus abut_insertion_run(const AbutPeg *peg, const AbutInsertion *insertion, const AbutRunObserver *observer,
                              AbutInserted *out, AbutError *error);

#endif
