/* At which frequency an engine keeps the dropped cube from going deeper than 1 mm, and what that costs. */
#include "experiments/peers/search.h"

#include <math.h>

#include "experiments/peers/measure.h"
#include "experiments/peers/peers.h"
#include "experiments/peers/scenes.h"

static AbutStatus try_frequency(const AbutPeerEngine *engine, double frequency, unsigned long long seed,
                                const AbutPeerEffort *effort, AbutPeerSearch *out, AbutError *error)
{
	AbutPeerResult result;
	const AbutPeerCase *drop = abut_peer_case(abut_peer_case_index("drop_100hz"));
	const AbutStatus status = abut_peer_measure(drop, engine, 1.0 / frequency, seed, effort, &result, error);
	const bool below = status == ABUT_OK && result.failed_steps == 0 && result.penetration < 1e-3;
	const AbutPeerTrial trial = {frequency, result.penetration, 1e-3 * frequency * result.us_mean, below};
	out->trials[out->count++] = trial;
	/* The lowest that is below, or as long as none is, the last. */
	if (!out->found.below || (below && frequency < out->found.frequency)) {
		out->found = trial;
	}
	return status;
}

/* Up a ladder to its first rung below 1 mm, then halving between that and the one before. */
static AbutStatus climb(const AbutPeerEngine *engine, unsigned long long seed, const AbutPeerEffort *effort,
                        AbutPeerSearch *out, AbutError *error)
{
	static const double ladder[] = {100.0, 200.0, 500.0, 1000.0, 2000.0, 3000.0, 4000.0, 5000.0, 7000.0, 10000.0};
	const int n = effort->quick ? 1 : (int)(sizeof ladder / sizeof *ladder);
	AbutStatus status = ABUT_OK;
	double low = ladder[0];
	for (int i = 0; i < n && status == ABUT_OK && !out->found.below; i++) {
		low = i > 0 ? ladder[i - 1] : low;
		status = try_frequency(engine, ladder[i], seed, effort, out, error);
	}
	while (status == ABUT_OK && out->found.below && out->found.frequency > 1.04 * low) {
		const double middle = round(0.5 * (low + out->found.frequency));
		status = try_frequency(engine, middle, seed, effort, out, error);
		low = out->found.frequency > middle ? middle : low;
	}
	return status;
}

/* Abut's frequencies are given: it is below at any. */
static AbutStatus descend(const AbutPeerEngine *engine, unsigned long long seed, const AbutPeerEffort *effort,
                          AbutPeerSearch *out, AbutError *error)
{
	static const double frequencies[] = {1000.0, 500.0, 200.0, 100.0, 50.0, 20.0};
	const int n = effort->quick ? 1 : (int)(sizeof frequencies / sizeof *frequencies);
	AbutStatus status = ABUT_OK;
	for (int i = 0; i < n && status == ABUT_OK; i++) {
		status = try_frequency(engine, frequencies[i], seed, effort, out, error);
	}
	return status;
}

AbutStatus abut_peer_search(const AbutPeerEngine *engine, unsigned long long seed, const AbutPeerEffort *effort,
                            AbutPeerSearch *out, AbutError *error)
{
	*out = (AbutPeerSearch){.count = 0};
	return engine == abut_peer_abut.engines ? descend(engine, seed, effort, out, error)
	                                        : climb(engine, seed, effort, out, error);
}
