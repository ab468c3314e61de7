/* Runs the cases in every engine of this build and compares the results with the targets. */
#include "experiments/peers/comparison.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "experiments/peers/measure.h"
#include "experiments/peers/peers.h"
#include "experiments/peers/scenes.h"

/* --- engines --- */

static const AbutPeerFamily *const families[] = {&abut_peer_abut, &abut_peer_mujoco, &abut_peer_ode};

enum { N_FAMILIES = sizeof families / sizeof *families };

int abut_peer_engine_count(void)
{
	int count = 0;
	for (int i = 0; i < N_FAMILIES; i++) {
		count += families[i]->count;
	}
	return count;
}

const AbutPeerEngine *abut_peer_engine(int index)
{
	for (int i = 0; i < N_FAMILIES; i++) {
		if (index < families[i]->count) {
			return &families[i]->engines[index];
		}
		index -= families[i]->count;
	}
	return NULL;
}

int abut_peer_reference(void)
{
	return abut_peer_mujoco.count > 0 ? abut_peer_abut.count : -1;
}

/* --- search --- */

static AbutStatus try_frequency(const AbutPeerEngine *engine, double frequency, unsigned long long seed,
                                const AbutPeerEffort *effort, AbutPeerSearch *out, AbutError *error)
{
	AbutPeerResult result;
	const AbutPeerCase *drop = &abut_peer_cases[abut_peer_case_index("drop_100hz")];
	const AbutStatus status = abut_peer_measure(drop, engine, 1.0 / frequency, seed, effort, &result, error);
	const bool below = status == ABUT_OK && result.failed_steps == 0 && result.penetration < 1e-3;
	const AbutPeerTrial trial = {frequency, result.penetration, 1e-3 * frequency * result.us_mean, below};
	out->trials[out->count++] = trial;
	/* Keep the lowest frequency with a penetration below 1 mm; before there is one, the last frequency tried. */
	if (!out->found.below || (below && frequency < out->found.frequency)) {
		out->found = trial;
	}
	return status;
}

/* Tries increasing frequencies until the penetration is below 1 mm, then bisects between the last two. */
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

/* Tries fixed frequencies with Abut, whose penetration is below 1 mm at all of them. */
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

static AbutStatus search(const AbutPeerEngine *engine, unsigned long long seed, const AbutPeerEffort *effort,
                         AbutPeerSearch *out, AbutError *error)
{
	*out = (AbutPeerSearch){.count = 0};
	return engine == abut_peer_abut.engines ? descend(engine, seed, effort, out, error)
	                                        : climb(engine, seed, effort, out, error);
}

/* --- all cases --- */

bool abut_peer_case_chosen(int index, const char *prefix)
{
	return !prefix || strncmp(abut_peer_cases[index].name, prefix, strlen(prefix)) == 0;
}

/* Measures all engines for one case before the next, so that other work on the machine affects all engines. */
static AbutStatus measure_case(int index, const AbutPeerEffort *effort, unsigned long long seed,
                               AbutPeerComparison *out, AbutError *error)
{
	const AbutPeerCase *which = &abut_peer_cases[index];
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
	for (int i = 0; status == ABUT_OK && i < abut_peer_case_count; i++) {
		if (abut_peer_case_chosen(i, prefix)) {
			status = measure_case(i, &effort, seed, out, error);
			tell(out, i);
		}
	}
	out->searched = !prefix;
	for (int j = 0; out->searched && status == ABUT_OK && j < abut_peer_engine_count(); j++) {
		status = search(abut_peer_engine(j), seed, &effort, &out->searches[j], error);
	}
	return status;
}

bool abut_peer_any_failed(const AbutPeerComparison *comparison)
{
	for (int i = 0; i < abut_peer_case_count; i++) {
		if (comparison->measured[i] && comparison->rows[i][0].failed_steps > 0) {
			return true;
		}
	}
	return false;
}

/* Returns the result of an engine for a case; NULL if the case or engine is missing. */
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
	const double bodies = target->alone ? abut_peer_cases[abut_peer_case_index(target->case_name)].count : 1.0;
	if (!ours || !other) {
		return NAN;
	}
	return (target->mean ? ours->us_mean / other->us_mean : ours->us_median / other->us_median) / bodies;
}

/* Returns whether contact was hard. If the target bounds the penetration (hyperstatic piles), the penetration must be
 * within the bound; otherwise nearly all steps must be exact. */
static bool is_hard(const AbutPeerTarget *target, const AbutPeerResult *ours)
{
	return target->penetration > 0.0 ? ours->penetration <= target->penetration
	                                 : 100.0 * ours->exact_share >= ABUT_PEER_EXACT_PERCENT;
}

/* Returns the verdict. A target is met if the ratio is reached with hard contact and without a failed step. */
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

/* --- targets --- */

const AbutPeerTarget abut_peer_targets[] = {
    {"cube_rest", NULL, false, 0.2, 0.0},          {"drop_100hz", NULL, true, 0.7, 0.0},
    {"drop_20hz", NULL, true, 0.7, 0.0},           {"stack_4_rest", NULL, false, 0.1, 0.0},
    {"stack_16_rest", NULL, false, 0.1, 0.0},      {"stack_4_kick", NULL, true, 0.3, 0.0},
    {"stack_16_kick", NULL, true, 0.6, 0.0},       {"gradient_drop_100hz", NULL, true, 0.05, 0.0},
    {"gradient_cube_kick", NULL, true, 0.05, 0.0}, {"gradient_stack_4_kick", NULL, true, 0.05, 0.0},
    {"grid_boxes", "cube_rest", true, 1.3, 0.0},   {"grid_capsules", "capsule_rest", true, 1.3, 0.0},
    {"pile_100", NULL, true, 1.0, 1e-6},
};
const int abut_peer_target_count = sizeof abut_peer_targets / sizeof *abut_peer_targets;
