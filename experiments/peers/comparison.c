/* Measures case by case, and holds the results against the targets. */
#include "experiments/peers/comparison.h"

#include <math.h>
#include <string.h>

#include "experiments/peers/engines.h"
#include "experiments/peers/measure.h"
#include "experiments/peers/scenes.h"
#include "experiments/peers/search.h"
#include "experiments/peers/targets.h"

bool abut_peer_case_chosen(int index, const char *prefix)
{
	return !prefix || strncmp(abut_peer_case(index)->name, prefix, strlen(prefix)) == 0;
}

/* Engine by engine within a case: what else the machine does then falls on all of them. */
static AbutStatus measure_case(int index, const AbutPeerEffort *effort, unsigned long long seed,
                               AbutPeerComparison *out, AbutError *error)
{
	const AbutPeerCase *which = abut_peer_case(index);
	AbutStatus status = ABUT_OK;
	for (int j = 0; status == ABUT_OK && j < abut_peer_engine_count(); j++) {
		const AbutPeerEngine *engine = abut_peer_engine(j);
		if (abut_peer_engine_takes(engine, which)) {
			status = abut_peer_measure(which, engine, which->timestep, seed, effort, &out->rows[index][j],
			                           error);
		}
	}
	out->measured[index] = status == ABUT_OK;
	return status;
}

AbutStatus abut_peer_compare(const char *prefix, bool quick, unsigned long long seed,
                             void (*tell)(const AbutPeerComparison *comparison, int case_index),
                             AbutPeerComparison *out, AbutError *error)
{
	const AbutPeerEffort effort = abut_peer_effort(quick);
	AbutStatus status = ABUT_OK;
	memset(out, 0, sizeof *out);
	out->quick = quick;
	for (int i = 0; status == ABUT_OK && i < abut_peer_case_count(); i++) {
		if (abut_peer_case_chosen(i, prefix)) {
			status = measure_case(i, &effort, seed, out, error);
			tell(out, i);
		}
	}
	out->searched = !prefix;
	for (int j = 0; out->searched && status == ABUT_OK && j < abut_peer_engine_count(); j++) {
		status = abut_peer_search(abut_peer_engine(j), seed, &effort, &out->searches[j], error);
	}
	return status;
}

bool abut_peer_any_failed(const AbutPeerComparison *comparison)
{
	for (int i = 0; i < abut_peer_case_count(); i++) {
		if (comparison->measured[i] && comparison->rows[i][0].failed_steps > 0) {
			return true;
		}
	}
	return false;
}

/* Of a case in an engine; NULL when either is missing. */
static const AbutPeerResult *result_of(const AbutPeerComparison *comparison, const char *case_name, int engine)
{
	const int index = abut_peer_case_index(case_name);
	return engine >= 0 && comparison->measured[index] ? &comparison->rows[index][engine] : NULL;
}

double abut_peer_target_ratio(const AbutPeerTarget *target, const AbutPeerComparison *comparison)
{
	const AbutPeerResult *ours = result_of(comparison, target->case_name, 0);
	const AbutPeerResult *other = target->alone ? result_of(comparison, target->alone, 0)
	                                            : result_of(comparison, target->case_name, abut_peer_reference());
	const double bodies = target->alone ? abut_peer_case(abut_peer_case_index(target->case_name))->count : 1.0;
	if (!ours || !other) {
		return NAN;
	}
	return (target->mean ? ours->us_mean / other->us_mean : ours->us_median / other->us_median) / bodies;
}

/* Exact in nearly all steps, or, where penetration is bounded, as a hyperstatic pile's is, within that. */
static bool is_hard(const AbutPeerTarget *target, const AbutPeerResult *ours)
{
	return target->penetration > 0.0 ? ours->penetration <= target->penetration
	                                 : 100.0 * ours->exact_share >= ABUT_PEER_EXACT_PERCENT;
}

/* Met: the ratio is reached by hard contact, with no failed step. */
AbutPeerVerdict abut_peer_target_verdict(const AbutPeerTarget *target, const AbutPeerComparison *comparison)
{
	const AbutPeerResult *ours = result_of(comparison, target->case_name, 0);
	const double ratio = abut_peer_target_ratio(target, comparison);
	if (comparison->quick || !ours || isnan(ratio)) {
		return ABUT_PEER_NO_VERDICT;
	}
	const bool met = ratio <= target->bound && ours->failed_steps == 0 && is_hard(target, ours);
	return met ? ABUT_PEER_MET : ABUT_PEER_NOT_MET;
}

double abut_peer_cpu_factor(const AbutPeerComparison *comparison)
{
	const int first = abut_peer_reference();
	double least = INFINITY;
	if (!comparison->searched || first < 0) {
		return NAN;
	}
	for (int i = first; i < first + abut_peer_mujoco.count; i++) {
		if (comparison->searches[i].found.below) {
			least = fmin(least, comparison->searches[i].found.cpu_ms);
		}
	}
	return least / comparison->searches[0].found.cpu_ms;
}

AbutPeerVerdict abut_peer_cpu_verdict(const AbutPeerComparison *comparison)
{
	const double factor = abut_peer_cpu_factor(comparison);
	if (comparison->quick || isnan(factor)) {
		return ABUT_PEER_NO_VERDICT;
	}
	const bool met = comparison->searches[0].found.below && factor >= ABUT_PEER_CPU_FACTOR;
	return met ? ABUT_PEER_MET : ABUT_PEER_NOT_MET;
}
