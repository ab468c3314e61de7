/* Compares Abut with other engines: engines, cases, targets and verdicts. */
#pragma once

#include "experiments/peers/measure.h"
#include "experiments/peers/peers.h"
#include "experiments/peers/scenes.h"

enum { ABUT_PEER_ENGINES_MAX = 10 };

int abut_peer_engine_count(void);
const AbutPeerEngine *abut_peer_engine(int index);

/* Returns whether the engine runs the case. */
static inline bool abut_peer_engine_takes(const AbutPeerEngine *engine, const AbutPeerCase *which)
{
	return (!which->gradient || engine->differentiate) &&
	       (which->layout != ABUT_PEER_PILE || engine->pile_most == 0 || which->count <= engine->pile_most);
}
int abut_peer_reference(void); /* index of MuJoCo in its default setting, whose times divide ours; -1: missing */

/* A bound on Abut's time divided by MuJoCo's in its default setting. */
typedef struct AbutPeerTarget {
	const char *case_name;
	const char *alone; /* not NULL: compare our time per body instead with this case of one body */
	bool mean;         /* ratio of mean times; otherwise of medians */
	double bound;
	double penetration; /* m, bound for Abut, which replaces the least share of exact steps; 0: none */
} AbutPeerTarget;

enum { ABUT_PEER_EXACT_PERCENT = 99, ABUT_PEER_CPU_FACTOR = 100 }; /* least share of exact steps, least CPU ratio */

extern const int abut_peer_target_count;
extern const AbutPeerTarget abut_peer_targets[]; /* (abut_peer_target_count) */

/* The results at one frequency: largest penetration of all drops, and CPU time per simulated second. */
typedef struct AbutPeerTrial {
	double frequency;   /* Hz */
	double penetration; /* m */
	double cpu_ms;      /* per simulated second */
	bool below;         /* penetration is below 1 mm in every step, and no step failed */
} AbutPeerTrial;

enum { ABUT_PEER_TRIALS_MAX = 32 };

/* A search for the lowest frequency at which the penetration stays below 1 mm, from 100 Hz to 10 kHz, by bisection to a
 * few per cent. A lower one may exist. All tried frequencies are kept for a plot. Abut runs at fixed frequencies from
 * 20 Hz to 1 kHz instead. */
typedef struct AbutPeerSearch {
	int count;
	AbutPeerTrial trials[ABUT_PEER_TRIALS_MAX]; /* [count] */
	AbutPeerTrial found; /* the lowest frequency below 1 mm; if not `below`, the highest one */
} AbutPeerSearch;

enum { ABUT_PEER_CASES_MAX = 32 };

typedef struct AbutPeerComparison {
	bool measured[ABUT_PEER_CASES_MAX]; /* whether the case was requested */
	AbutPeerResult rows[ABUT_PEER_CASES_MAX]
	                   [ABUT_PEER_ENGINES_MAX]; /* no steps: the engine does not run the case */
	bool searched;                              /* whether `searches` are filled in */
	AbutPeerSearch searches[ABUT_PEER_ENGINES_MAX];
	bool quick; /* too few steps for a verdict */
} AbutPeerComparison;

/* Measures the cases whose names start with `prefix`, and calls `tell` after each. If `prefix` is NULL, measures all
 * cases and makes the search. */
AbutStatus abut_peer_compare(const char *prefix, bool quick, unsigned long long seed,
                             void (*tell)(const AbutPeerComparison *comparison, int case_index),
                             AbutPeerComparison *out, AbutError *error);
bool abut_peer_case_chosen(int index, const char *prefix);
/* Returns whether a step of Abut failed in any case. */
bool abut_peer_any_failed(const AbutPeerComparison *comparison);

/* Computes the ratio of a target; NaN if MuJoCo or a case is missing. */
double abut_peer_target_ratio(const AbutPeerTarget *target, const AbutPeerComparison *comparison);
/* Computes the CPU time of MuJoCo divided by that of Abut, for the dropped cube below 1 mm. Uses MuJoCo's cheapest
 * setting that stays below 1 mm. Infinite if there is none; NaN without a search or without MuJoCo. */
double abut_peer_cpu_factor(const AbutPeerComparison *comparison);

typedef enum AbutPeerVerdict { ABUT_PEER_NO_VERDICT, ABUT_PEER_MET, ABUT_PEER_NOT_MET } AbutPeerVerdict;

AbutPeerVerdict abut_peer_target_verdict(const AbutPeerTarget *target, const AbutPeerComparison *comparison);
AbutPeerVerdict abut_peer_cpu_verdict(const AbutPeerComparison *comparison);
