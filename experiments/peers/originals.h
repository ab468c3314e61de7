/* Comparison of Abut's other methods with the programs they reimplement, on the same scenes and steps: lcp with DART,
 * convex with MuJoCo. Where their laws coincide, their results must agree (docs/peers.md). */
#ifndef EXPERIMENTS_PEERS_ORIGINALS_H
#define EXPERIMENTS_PEERS_ORIGINALS_H

#include "experiments/peers/measure.h"
#include "experiments/peers/peers.h"
#include "experiments/peers/scenes.h"

typedef enum AbutOriginalMethod { ABUT_ORIGINAL_LCP, ABUT_ORIGINAL_CONVEX, ABUT_ORIGINAL_METHODS } AbutOriginalMethod;

typedef struct AbutOriginalPair {
	const AbutPeerEngine *ours, *theirs;
	AbutOriginalMethod method;
	bool same_law; /* both in settings in which their laws of contact coincide */
	bool momentum; /* only for cases that claim a momentum */
} AbutOriginalPair;

enum { ABUT_ORIGINAL_PAIRS_MAX = 5 };

/* The pairs whose other engine was found when this was built. */
int abut_original_pair_count(void);
AbutOriginalPair abut_original_pair(int index);

/* The quantities in which the two engines must agree in a case; the bounds are in originals.c. */
typedef enum AbutOriginalClaim {
	ABUT_ORIGINAL_NOTHING,  /* turning bodies and other contact points diverge after some steps */
	ABUT_ORIGINAL_WRENCHES, /* at rest: wrenches between bodies, and no more momentum than theirs */
	ABUT_ORIGINAL_MOTION,   /* positions and velocities in all steps */
	ABUT_ORIGINAL_MOMENTUM  /* mean momentum of pushed bodies */
} AbutOriginalClaim;

typedef struct AbutOriginalCase {
	AbutPeerCase scene;
	AbutOriginalClaim claim[ABUT_ORIGINAL_METHODS];
} AbutOriginalCase;

/* The largest differences over all steps of the first run of the case, from the same start and with the same kicks. */
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

typedef enum AbutOriginalVerdict {
	ABUT_ORIGINAL_UNJUDGED,
	ABUT_ORIGINAL_AGREES,
	ABUT_ORIGINAL_DIFFERS
} AbutOriginalVerdict;

/* Returns whether the pair runs the case. */
bool abut_original_pair_takes(const AbutOriginalPair *pair, const AbutOriginalCase *which);
/* Returns the claim; NOTHING where the laws differ. */
AbutOriginalClaim abut_original_claim(const AbutOriginalCase *which, const AbutOriginalPair *pair);
AbutOriginalVerdict abut_original_verdict(const AbutOriginalCase *which, const AbutOriginalPair *pair,
                                          const AbutOriginalResult *result);

/* Computes the differences, and times each engine. */
AbutStatus abut_original_compare(const AbutOriginalCase *which, const AbutOriginalPair *pair, unsigned long long seed,
                                 bool quick, AbutOriginalResult *out, AbutError *error);

int abut_original_case_count(void);
const AbutOriginalCase *abut_original_case(int index);
bool abut_original_case_chosen(int index, const char *prefix); /* of its name; NULL: all */

#endif
