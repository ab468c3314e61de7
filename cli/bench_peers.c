/* abut bench peers [NAME]: the same scenes in Abut and in other engines, as a table or as JSON. */
#include "cli/bench_peers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/bench_peers_json.h"
#include "cli/cli.h"
#include "experiments/bench/bench.h"
#include "experiments/peers/comparison.h"
#include "experiments/peers/measure.h"
#include "experiments/peers/scenes.h"

static void print_head(const char *machine)
{
	printf("abut %s on %s\n", abut_version(), machine);
	printf("%-21s %-19s %6s %10s %10s %10s %8s %8s %8s %6s %10s %10s\n", "case", "engine", "steps", "us median",
	       "us mean", "us p99", "/ median", "/ mean", "exact %", "failed", "pen mm", "kg m/s");
}

/* Ratios are to MuJoCo's default setting. */
static void print_row(int which, int engine, const AbutPeerResult *results)
{
	const AbutPeerResult *row = &results[engine];
	const int reference = abut_peer_reference();
	char exact[16] = "-", median[16] = "-", mean[16] = "-";
	if (!isnan(row->exact_share)) {
		snprintf(exact, sizeof exact, "%.2f", 100.0 * row->exact_share);
	}
	if (reference >= 0) {
		snprintf(median, sizeof median, "%.3f", row->us_median / results[reference].us_median);
		snprintf(mean, sizeof mean, "%.3f", row->us_mean / results[reference].us_mean);
	}
	printf("%-21s %-19s %6ld %10.2f %10.2f %10.2f %8s %8s %8s %6ld %10.1e %10.1e\n", abut_peer_case(which)->name,
	       abut_peer_engine(engine)->name, row->steps, row->us_median, row->us_mean, row->us_p99, median, mean,
	       exact, row->failed_steps, 1e3 * row->penetration, row->momentum);
}

static void print_case(const AbutPeerComparison *comparison, int index)
{
	for (int j = 0; comparison->measured[index] && j < abut_peer_engine_count(); j++) {
		if (comparison->rows[index][j].steps > 0) {
			print_row(index, j, comparison->rows[index]);
		}
	}
	fflush(stdout);
}

static void print_nothing(const AbutPeerComparison *comparison, int index)
{
	(void)comparison;
	(void)index;
}

static void print_search(int engine, const AbutPeerSearch *searches)
{
	const AbutPeerTrial *found = &searches[engine].found;
	printf("%-19s %8.0f Hz %10.1e mm %10.4f ms CPU per simulated second%s, %.0fx\n", abut_peer_engine(engine)->name,
	       found->frequency, 1e3 * found->penetration, found->cpu_ms, found->below ? "" : " (never below 1 mm)",
	       found->cpu_ms / searches[0].found.cpu_ms);
}

static void print_target(const AbutPeerTarget *target, const AbutPeerComparison *comparison)
{
	const AbutPeerVerdict verdict = abut_peer_target_verdict(target, comparison);
	const AbutPeerResult *ours = &comparison->rows[abut_peer_case_index(target->case_name)][0];
	if (verdict == ABUT_PEER_NO_VERDICT) {
		return;
	}
	printf("target: %-14s %-6s %s%-12s %6.3f, at most %g; exact %6.2f %%", target->case_name,
	       target->mean ? "mean" : "median", target->alone ? "a body over " : "over mujoco",
	       target->alone ? target->alone : "", abut_peer_target_ratio(target, comparison), target->bound,
	       100.0 * ours->exact_share);
	if (target->penetration > 0.0) {
		printf("; penetration %.1e m, at most %.0e", ours->penetration, target->penetration);
	}
	printf(": %s\n", verdict == ABUT_PEER_MET ? "met" : "NOT met");
}

/* What says something only after whole runs. */
static void print_tail(const AbutPeerComparison *comparison)
{
	if (comparison->quick) {
		printf("\na few steps of each case: no verdicts\n");
		return;
	}
	if (comparison->searched) {
		printf("\nthe dropped cube below 1 mm (a frequency that keeps it, by halving; Abut: from 20 Hz)\n");
		for (int i = 0; i < abut_peer_engine_count(); i++) {
			print_search(i, comparison->searches);
		}
	}
	printf("\n");
	for (int i = 0; i < abut_peer_target_count(); i++) {
		print_target(abut_peer_target(i), comparison);
	}
	if (abut_peer_cpu_verdict(comparison) != ABUT_PEER_NO_VERDICT) {
		printf("target: below 1 mm, CPU of mujoco over abut %.0f, at least %d: %s\n",
		       abut_peer_cpu_factor(comparison), ABUT_PEER_CPU_FACTOR,
		       abut_peer_cpu_verdict(comparison) == ABUT_PEER_MET ? "met" : "NOT met");
	}
}

static bool any_chosen(const char *name)
{
	for (int i = 0; i < abut_peer_case_count(); i++) {
		if (abut_peer_case_chosen(i, name)) {
			return true;
		}
	}
	abut_report("bench: peers: no case starts with '%s'", name);
	return false;
}

int abut_bench_peers(const char *name, bool json, bool quick, unsigned long long seed)
{
	if (abut_peer_engine_count() == 1) {
		abut_report("bench: peers: built without other engines; install Debian's libmujoco-dev or libode-dev "
		            "and build again");
		return ABUT_EXIT_USAGE;
	}
	if (!any_chosen(name)) {
		return ABUT_EXIT_USAGE;
	}
	char machine[ABUT_BENCH_MACHINE_SIZE];
	AbutError error = {0};
	AbutPeerComparison *comparison = calloc(1, sizeof *comparison);
	if (!comparison) {
		abut_report("bench: out of memory");
		return ABUT_EXIT_MACHINE;
	}
	abut_bench_machine(machine);
	if (!json) {
		print_head(machine);
	}
	const AbutStatus status =
	    abut_peer_compare(name, quick, seed, json ? print_nothing : print_case, comparison, &error);
	int exit_status = abut_peer_any_failed(comparison) ? ABUT_EXIT_CHECK : ABUT_EXIT_DONE;
	if (status != ABUT_OK) {
		exit_status = abut_report_error(&error, ABUT_EXIT_CHECK);
	} else if (json) {
		abut_print_peers_json(comparison, machine, seed);
	} else {
		print_tail(comparison);
	}
	free(comparison);
	return abut_finish_stdout(exit_status);
}
