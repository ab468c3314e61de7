/* Compares Abut's other methods with the programs that they reimplement, on the same scenes and steps: lcp with DART,
 * convex with MuJoCo. If their contact laws coincide, the results must agree (docs/peers.md). */
#pragma once

#include "experiments/peers/measure.h"
#include "experiments/peers/peers.h"
#include "experiments/peers/scenes.h"

typedef enum AbutOriginalMethod { ABUT_ORIGINAL_LCP, ABUT_ORIGINAL_CONVEX, ABUT_ORIGINAL_METHODS } AbutOriginalMethod;

typedef struct AbutOriginalPair {
	const AbutPeerEngine *ours, *theirs;
	AbutOriginalMethod method;
	bool same_law; /* the settings of both engines make their contact laws coincide */
	bool momentum; /* runs only cases whose claim is the momentum */
} AbutOriginalPair;

enum { ABUT_ORIGINAL_PAIRS_MAX = 5 };

/* Returns the number of pairs whose other engine is in this build. */
int abut_original_pair_count(void);
AbutOriginalPair abut_original_pair(int index);

/* The quantities for which the two engines must agree in a case. The bounds are in originals.c. */
typedef enum AbutOriginalClaim {
	ABUT_ORIGINAL_NOTHING,  /* nothing: turning bodies and different contact points diverge after some steps */
	ABUT_ORIGINAL_WRENCHES, /* at rest: wrenches between bodies, and our momentum must not be larger */
	ABUT_ORIGINAL_MOTION,   /* positions and velocities in all steps */
	ABUT_ORIGINAL_MOMENTUM  /* mean momentum of pushed bodies */
} AbutOriginalClaim;

typedef struct AbutOriginalCase {
	AbutPeerCase scene;
	AbutOriginalClaim claim[ABUT_ORIGINAL_METHODS];
} AbutOriginalCase;

/* The largest differences over all steps of the first run of a case. Both engines have the same start and kicks. */
typedef struct AbutOriginalDifference {
	double position, velocity, spin; /* m, m/s, rad/s: of any body */
	double wrench; /* between the forces (N) of two bodies on each other, or their torques (N m), at the end of the
	                  last step; divided by the weight of all bodies (and 1 m); NaN if an engine does not offer
	                  wrenches */
	double momentum[2]; /* kg m/s, ours and theirs: mean over the steps of the norm of the total momentum */
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
/* Returns the claim; ABUT_ORIGINAL_NOTHING if the contact laws differ. */
AbutOriginalClaim abut_original_claim(const AbutOriginalCase *which, const AbutOriginalPair *pair);
AbutOriginalVerdict abut_original_verdict(const AbutOriginalCase *which, const AbutOriginalPair *pair,
                                          const AbutOriginalResult *result);

/* Computes the differences, and measures the times of each engine. */
AbutStatus abut_original_compare(const AbutOriginalCase *which, const AbutOriginalPair *pair, unsigned long long seed,
                                 bool quick, AbutOriginalResult *out, AbutError *error);

extern const int abut_original_case_count;
extern const AbutOriginalCase abut_original_cases[];           /* (abut_original_case_count) */
bool abut_original_case_chosen(int index, const char *prefix); /* by the start of its name; NULL: all */
