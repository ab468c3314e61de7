/* Abut's other methods beside the programs that they stand for, on the same scenes and steps: lcp beside DART, convex
 * beside MuJoCo. What coincides is to agree (docs/peers.md). */
#ifndef EXPERIMENTS_PEERS_ORIGINALS_H
#define EXPERIMENTS_PEERS_ORIGINALS_H

#include "experiments/peers/peers.h"

typedef struct AbutOriginalPair {
	const AbutPeerEngine *ours, *theirs;
	bool same_law; /* both in settings in which their laws of contact coincide */
} AbutOriginalPair;

enum { ABUT_ORIGINAL_PAIRS_MAX = 4 };

/* Those whose other engine was found when this was built. */
int abut_original_pair_count(void);
AbutOriginalPair abut_original_pair(int index);

/* What a case is to show of a pair. */
typedef enum AbutOriginalClaim {
	ABUT_ORIGINAL_NOTHING,  /* times alone: what follows an impact parts */
	ABUT_ORIGINAL_WRENCHES, /* at rest: wrenches between bodies, and momentum */
	ABUT_ORIGINAL_MOTION,   /* states of all steps */
	ABUT_ORIGINAL_MOMENTUM  /* of what is pushed, on the mean */
} AbutOriginalClaim;

typedef struct AbutOriginalCase {
	AbutPeerCase scene;
	AbutOriginalClaim claim;
} AbutOriginalCase;

int abut_original_case_count(void);
const AbutOriginalCase *abut_original_case(int index);
bool abut_original_case_chosen(int index, const char *prefix); /* of its name; NULL: all */

/* The largest difference of the two over all steps of the case's first run, stepped side by side from the same start
 * and with the same kicks. */
typedef struct AbutOriginalDifference {
	double position, velocity, spin; /* m, m/s, rad/s: of a body */
	double wrench; /* of the forces of two bodies on each other, or their torques over 1 m, at the end of the last
	                  step: over the weight of all bodies; NaN where an engine does not offer it */
	double momentum[2]; /* kg m/s, of ours and theirs: mean over the steps of the length of the total momentum */
} AbutOriginalDifference;

typedef struct AbutOriginalResult {
	AbutPeerResult ours, theirs;
	AbutOriginalDifference difference;
} AbutOriginalResult;

AbutStatus abut_original_differ(const AbutOriginalCase *which, const AbutOriginalPair *pair, double timestep,
                                unsigned long long seed, long steps_most, AbutOriginalDifference *out,
                                AbutError *error);
/* With times, engine by engine. */
AbutStatus abut_original_compare(const AbutOriginalCase *which, const AbutOriginalPair *pair, unsigned long long seed,
                                 bool quick, AbutOriginalResult *out, AbutError *error);

#endif
