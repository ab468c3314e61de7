/* Runs `abut bench peers`: the same scenes in Abut and in other engines, printed as a table or as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/bench/heading.h"
#include "cli/common/print.h"
#include "cli/common/report.h"
#include "experiments/peers/comparison.h"
#include "experiments/peers/measure.h"
#include "experiments/peers/scenes.h"
#include "io/text/number.h"

static void print_head(void)
{
	printf("%-21s %-19s %6s %10s %10s %10s %8s %8s %8s %6s %10s %10s\n", "case", "engine", "steps", "us median",
	       "us mean", "us p99", "/ median", "/ mean", "exact %", "failed", "pen mm", "kg m/s");
}

/* Prints a row; ratios are to MuJoCo with its default settings. */
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
	printf("%-21s %-19s %6ld %10.2f %10.2f %10.2f %8s %8s %8s %6ld %10.1e %10.1e\n", abut_peer_cases[which].name,
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

/* Prints the results of whole runs. */
static void print_tail(const AbutPeerComparison *comparison)
{
	if (comparison->quick) {
		printf("\nonly a few steps of each case: no verdicts\n");
		return;
	}
	if (comparison->searched) {
		printf("\ndropped cube, penetration below 1 mm (lowest frequency, by bisection; Abut from 20 Hz)\n");
		for (int i = 0; i < abut_peer_engine_count(); i++) {
			print_search(i, comparison->searches);
		}
	}
	printf("\n");
	for (int i = 0; i < abut_peer_target_count; i++) {
		print_target(&abut_peer_targets[i], comparison);
	}
	if (abut_peer_cpu_verdict(comparison) != ABUT_PEER_NO_VERDICT) {
		printf("target: below 1 mm, CPU of mujoco over abut %.0f, at least %d: %s\n",
		       abut_peer_cpu_factor(comparison), ABUT_PEER_CPU_FACTOR,
		       abut_peer_cpu_verdict(comparison) == ABUT_PEER_MET ? "met" : "NOT met");
	}
}

/* --- JSON (docs/interface.md) --- */

static void print_json_row(int which, int engine, const AbutPeerResult *results)
{
	const AbutPeerResult *row = &results[engine];
	const int reference = abut_peer_reference();
	printf("\n  {\"name\": \"%s\", \"engine\": \"%s\", \"bodies\": %d, \"steps\": %ld", abut_peer_cases[which].name,
	       abut_peer_engine(engine)->name, abut_peer_cases[which].count, row->steps);
	abut_print_number("timestep", abut_peer_cases[which].timestep);
	abut_print_number("step_time_us_median", row->us_median);
	abut_print_number("step_time_us_mean", row->us_mean);
	abut_print_number("step_time_us_p99", row->us_p99);
	if (reference >= 0) {
		abut_print_number("ratio_median", row->us_median / results[reference].us_median);
		abut_print_number("ratio_mean", row->us_mean / results[reference].us_mean);
	} else {
		printf(", \"ratio_median\": null, \"ratio_mean\": null");
	}
	abut_print_number("exact_share", row->exact_share);
	abut_print_number("max_penetration", row->penetration);
	abut_print_number("momentum_mean", row->momentum);
	printf(", \"failed_steps\": %ld}", row->failed_steps);
}

static void print_trial(const AbutPeerTrial *trial)
{
	printf("{\"frequency\": ");
	abut_json_write_number(stdout, trial->frequency);
	abut_print_number("max_penetration", trial->penetration);
	abut_print_number("cpu_ms_per_second", trial->cpu_ms);
	printf("}");
}

static void print_json_search(int engine, const AbutPeerSearch *search)
{
	printf("\n  {\"engine\": \"%s\", \"found\": %s", abut_peer_engine(engine)->name,
	       search->found.below ? "true" : "false");
	abut_print_number("frequency", search->found.frequency);
	abut_print_number("max_penetration", search->found.penetration);
	abut_print_number("cpu_ms_per_second", search->found.cpu_ms);
	printf(", \"trials\": [");
	for (int i = 0; i < search->count; i++) {
		printf("%s", i > 0 ? ", " : "");
		print_trial(&search->trials[i]);
	}
	printf("]}");
}

/* Returns true, false, or null without a verdict. */
static const char *verdict_word(AbutPeerVerdict verdict)
{
	static const char *const words[] = {
	    [ABUT_PEER_NO_VERDICT] = "null", [ABUT_PEER_MET] = "true", [ABUT_PEER_NOT_MET] = "false"};
	return words[verdict];
}

static void print_json_target(const AbutPeerTarget *target, const AbutPeerComparison *comparison)
{
	printf("\n  {\"name\": \"%s\", \"met\": %s", target->case_name,
	       verdict_word(abut_peer_target_verdict(target, comparison)));
	abut_print_number("ratio", abut_peer_target_ratio(target, comparison));
	abut_print_number("bound", target->bound);
	printf("}");
}

static void print_json(const AbutPeerComparison *comparison, unsigned long long seed)
{
	const char *separator = "";
	abut_bench_print_heading(true, "cases", seed);
	for (int i = 0; i < abut_peer_case_count; i++) {
		for (int j = 0; comparison->measured[i] && j < abut_peer_engine_count(); j++) {
			if (comparison->rows[i][j].steps > 0) {
				printf("%s", separator);
				print_json_row(i, j, comparison->rows[i]);
				separator = ",";
			}
		}
	}
	printf("\n], \"below_1_mm\": [");
	for (int i = 0; comparison->searched && i < abut_peer_engine_count(); i++) {
		printf("%s", i > 0 ? "," : "");
		print_json_search(i, &comparison->searches[i]);
	}
	printf("\n], \"targets\": [");
	for (int i = 0; i < abut_peer_target_count; i++) {
		printf("%s", i > 0 ? "," : "");
		print_json_target(&abut_peer_targets[i], comparison);
	}
	printf("\n], \"below_1_mm_cpu\": {\"met\": %s", verdict_word(abut_peer_cpu_verdict(comparison)));
	abut_print_number("factor", abut_peer_cpu_factor(comparison));
	abut_print_number("bound", ABUT_PEER_CPU_FACTOR);
	printf("}}\n");
}

static int run(const char *name, bool json, bool quick, unsigned long long seed)
{
	if (abut_peer_engine_count() == 1) {
		return abut_refuse(
		    "bench peers: built without other engines; install Debian's libmujoco-dev or libode-dev "
		    "and build again");
	}
	if (!abut_bench_any_chosen(abut_peer_case_count, abut_peer_case_chosen, name)) {
		return abut_refuse("bench peers: no case starts with '%s'", name);
	}
	AbutError error = {0};
	AbutPeerComparison *comparison = calloc(1, sizeof *comparison);
	if (!comparison) {
		return abut_report_memory();
	}
	if (!json) {
		abut_bench_print_heading(false, NULL, seed);
		print_head();
	}
	const AbutStatus status =
	    abut_peer_compare(name, quick, seed, json ? print_nothing : print_case, comparison, &error);
	int exit_status = abut_peer_any_failed(comparison) ? ABUT_EXIT_CHECK : ABUT_EXIT_DONE;
	if (status != ABUT_OK) {
		exit_status = abut_report_error(&error, ABUT_EXIT_CHECK);
	} else if (json) {
		print_json(comparison, seed);
	} else {
		print_tail(comparison);
	}
	free(comparison);
	return abut_finish_stdout(exit_status);
}

const AbutBenchPart abut_bench_peers = {"peers", true, run};
