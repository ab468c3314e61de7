/* Every case in every engine, and what the bounds say to it. */
#ifndef EXPERIMENTS_PEERS_COMPARISON_H
#define EXPERIMENTS_PEERS_COMPARISON_H

#include "experiments/peers/engines.h"
#include "experiments/peers/measure.h"
#include "experiments/peers/peers.h"
#include "experiments/peers/search.h"
#include "experiments/peers/targets.h"

enum { ABUT_PEER_CASES_MAX = 32 };

typedef struct AbutPeerComparison {
	bool measured[ABUT_PEER_CASES_MAX];                              /* whether the case was asked for */
	AbutPeerResult rows[ABUT_PEER_CASES_MAX][ABUT_PEER_ENGINES_MAX]; /* no steps: not asked of the engine */
	bool searched;                                                   /* for the dropped cube below 1 mm */
	AbutPeerSearch searches[ABUT_PEER_ENGINES_MAX];
	bool quick; /* too few steps for a verdict */
} AbutPeerComparison;

/* Measures the cases whose names start with `prefix`, and tells of each when its rows are filled; all of them, and the
 * search, when it is NULL. */
AbutStatus abut_peer_compare(const char *prefix, bool quick, unsigned long long seed,
                             void (*tell)(const AbutPeerComparison *comparison, int case_index),
                             AbutPeerComparison *out, AbutError *error);
bool abut_peer_case_chosen(int index, const char *prefix);
/* Whether a step of Abut failed in any case. */
bool abut_peer_any_failed(const AbutPeerComparison *comparison);

/* NaN where MuJoCo or a case is missing. */
double abut_peer_target_ratio(const AbutPeerTarget *target, const AbutPeerComparison *comparison);
/* CPU of MuJoCo over Abut's for the dropped cube below 1 mm, in MuJoCo's cheapest setting that gets there; infinite
 * when none does, NaN when it was not searched or MuJoCo is missing. */
double abut_peer_cpu_factor(const AbutPeerComparison *comparison);

typedef enum AbutPeerVerdict { ABUT_PEER_NO_VERDICT, ABUT_PEER_MET, ABUT_PEER_NOT_MET } AbutPeerVerdict;

AbutPeerVerdict abut_peer_target_verdict(const AbutPeerTarget *target, const AbutPeerComparison *comparison);
AbutPeerVerdict abut_peer_cpu_verdict(const AbutPeerComparison *comparison);

#endif
