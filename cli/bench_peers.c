/* abut bench peers: the same scenes in Abut and in MuJoCo, as a table or as JSON. */
#include "cli/bench_peers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "experiments/bench.h"
#include "experiments/peers/peers.h"
#include "io/number.h"

enum { CASES_MAX = 32 };

/* All that is printed. */
typedef struct Comparison {
	int n_cases;
	AbutPeerResult rows[CASES_MAX][ABUT_PEER_ENGINES];
	AbutPeerSearch searches[ABUT_PEER_ENGINES]; /* Abut's: at the frequency of `drop_20hz` */
} Comparison;

static void print_row(int which, int engine, const AbutPeerResult *results)
{
	const AbutPeerResult *row = &results[engine], *reference = &results[1];
	char exact[16] = "-";
	if (engine == 0) {
		snprintf(exact, sizeof exact, "%.2f", 100.0 * row->exact_share);
	}
	printf("%-21s %-16s %6ld %10.2f %10.2f %10.2f %8.3f %8.3f %8s %6ld %10.1e %10.1e\n",
	       abut_peer_case(which)->name, abut_peer_engine(engine)->name, row->steps, row->us_median, row->us_mean,
	       row->us_p99, row->us_median / reference->us_median, row->us_mean / reference->us_mean, exact,
	       row->failed_steps, 1e3 * row->penetration, row->momentum);
}

static void print_search(int engine, const AbutPeerSearch *searches)
{
	const AbutPeerSearch *search = &searches[engine];
	printf("%-16s %8.0f Hz %10.1e mm %10.4f ms CPU per simulated second%s, %.0fx\n", abut_peer_engine(engine)->name,
	       search->frequency, 1e3 * search->penetration, search->cpu_ms, search->found ? "" : " (never below 1 mm)",
	       search->cpu_ms / searches[0].cpu_ms);
}

static const AbutPeerResult *results_of(const Comparison *comparison, const char *case_name)
{
	return comparison->rows[abut_peer_case_named(case_name) - abut_peer_case(0)];
}

static double target_ratio(const AbutPeerTarget *target, const Comparison *comparison)
{
	const AbutPeerResult *ours = results_of(comparison, target->case_name);
	const AbutPeerResult *other = target->alone ? results_of(comparison, target->alone) : &ours[1];
	const double bodies = target->alone ? abut_peer_case_named(target->case_name)->count : 1.0;
	return (target->mean ? ours->us_mean / other->us_mean : ours->us_median / other->us_median) / bodies;
}

/* Whether the ratio and the share of exact steps are reached, with no failed step. */
static bool target_met(const AbutPeerTarget *target, const Comparison *comparison)
{
	const AbutPeerResult *ours = results_of(comparison, target->case_name);
	return target_ratio(target, comparison) <= target->bound && ours->failed_steps == 0 &&
	       100.0 * ours->exact_share >= ABUT_PEER_EXACT_PERCENT;
}

/* MuJoCo's CPU over Abut's below 1 mm, in MuJoCo's cheapest setting that gets there; infinite when none does. */
static double cpu_factor(const Comparison *comparison)
{
	double least = INFINITY;
	for (int i = 1; i < ABUT_PEER_ENGINES; i++) {
		if (comparison->searches[i].found) {
			least = fmin(least, comparison->searches[i].cpu_ms);
		}
	}
	return least / comparison->searches[0].cpu_ms;
}

static bool cpu_factor_met(const Comparison *comparison)
{
	return comparison->searches[0].found && cpu_factor(comparison) >= ABUT_PEER_CPU_FACTOR;
}

static void print_targets(const Comparison *comparison)
{
	for (int i = 0; i < abut_peer_target_count(); i++) {
		const AbutPeerTarget *target = abut_peer_target(i);
		printf("%-21s %-6s %s%-12s %6.3f, at most %.1f; exact %6.2f %%: %s\n", target->case_name,
		       target->mean ? "mean" : "median", target->alone ? "a body over " : "over mujoco",
		       target->alone ? target->alone : "", target_ratio(target, comparison), target->bound,
		       100.0 * results_of(comparison, target->case_name)->exact_share,
		       target_met(target, comparison) ? "met" : "NOT met");
	}
	printf("below 1 mm, CPU of mujoco over abut %.0f, at least %d: %s\n", cpu_factor(comparison),
	       ABUT_PEER_CPU_FACTOR, cpu_factor_met(comparison) ? "met" : "NOT met");
}

static void print_tail(const Comparison *comparison)
{
	printf("\nthe dropped cube below 1 mm (a frequency that keeps it, by halving; Abut at 20 Hz)\n");
	for (int i = 0; i < ABUT_PEER_ENGINES; i++) {
		print_search(i, comparison->searches);
	}
	printf("\ntargets\n");
	print_targets(comparison);
}

static void print_number(const char *key, double value)
{
	printf(", \"%s\": ", key);
	abut_json_write_number(stdout, value);
}

static void print_json_row(int which, int engine, const AbutPeerResult *results)
{
	const AbutPeerResult *row = &results[engine], *reference = &results[1];
	printf("%s\n  {\"name\": \"%s\", \"engine\": \"%s\", \"bodies\": %d, \"steps\": %ld",
	       which + engine > 0 ? "," : "", abut_peer_case(which)->name, abut_peer_engine(engine)->name,
	       abut_peer_case(which)->count, row->steps);
	print_number("timestep", abut_peer_case(which)->timestep);
	print_number("step_time_us_median", row->us_median);
	print_number("step_time_us_mean", row->us_mean);
	print_number("step_time_us_p99", row->us_p99);
	print_number("ratio_median", row->us_median / reference->us_median);
	print_number("ratio_mean", row->us_mean / reference->us_mean);
	print_number("exact_share", row->exact_share);
	print_number("max_penetration", row->penetration);
	print_number("momentum_mean", row->momentum);
	printf(", \"failed_steps\": %ld}", row->failed_steps);
}

static void print_json(const Comparison *comparison, const char *machine, unsigned long long seed)
{
	printf("{\"machine\": ");
	abut_json_write_string(stdout, machine);
	printf(", \"version\": \"%s\", \"seed\": %llu, \"cases\": [", abut_version(), seed);
	for (int i = 0; i < comparison->n_cases; i++) {
		for (int j = 0; j < ABUT_PEER_ENGINES; j++) {
			print_json_row(i, j, comparison->rows[i]);
		}
	}
	printf("\n], \"below_1_mm\": [");
	for (int i = 0; i < ABUT_PEER_ENGINES; i++) {
		const AbutPeerSearch *search = &comparison->searches[i];
		printf("%s\n  {\"engine\": \"%s\", \"found\": %s", i > 0 ? "," : "", abut_peer_engine(i)->name,
		       search->found ? "true" : "false");
		print_number("frequency", search->frequency);
		print_number("max_penetration", search->penetration);
		print_number("cpu_ms_per_second", search->cpu_ms);
		printf("}");
	}
	printf("\n], \"targets\": [");
	for (int i = 0; i < abut_peer_target_count(); i++) {
		const AbutPeerTarget *target = abut_peer_target(i);
		printf("%s\n  {\"name\": \"%s\", \"met\": %s", i > 0 ? "," : "", target->case_name,
		       target_met(target, comparison) ? "true" : "false");
		print_number("ratio", target_ratio(target, comparison));
		print_number("bound", target->bound);
		printf("}");
	}
	printf("\n], \"below_1_mm_cpu\": {\"met\": %s", cpu_factor_met(comparison) ? "true" : "false");
	print_number("factor", cpu_factor(comparison));
	print_number("bound", ABUT_PEER_CPU_FACTOR);
	printf("}}\n");
}

/* Engine by engine within a case: what else the machine does then falls on all of them. */
static AbutStatus compare_all(bool print, const AbutPeerEffort *effort, unsigned long long seed, Comparison *comparison,
                              AbutError *error)
{
	AbutStatus status = ABUT_OK;
	comparison->n_cases = abut_peer_case_count();
	for (int i = 0; i < comparison->n_cases; i++) {
		const AbutPeerCase *which = abut_peer_case(i);
		for (int j = 0; status == ABUT_OK && j < ABUT_PEER_ENGINES; j++) {
			status = abut_peer_measure(which, abut_peer_engine(j), which->timestep, seed, effort,
			                           &comparison->rows[i][j], error);
		}
		for (int j = 0; print && status == ABUT_OK && j < ABUT_PEER_ENGINES; j++) {
			print_row(i, j, comparison->rows[i]);
		}
		fflush(stdout);
	}
	for (int j = 1; status == ABUT_OK && j < ABUT_PEER_ENGINES; j++) {
		status = abut_peer_search(abut_peer_engine(j), seed, effort, &comparison->searches[j], error);
	}
	const AbutPeerResult *ours = results_of(comparison, "drop_20hz");
	comparison->searches[0] = (AbutPeerSearch){20.0, ours->penetration, 1e-3 * 20.0 * ours->us_mean,
	                                           ours->failed_steps == 0 && ours->penetration < 1e-3};
	return status;
}

static bool any_failed(const Comparison *comparison)
{
	for (int i = 0; i < comparison->n_cases; i++) {
		if (comparison->rows[i][0].failed_steps > 0) {
			return true;
		}
	}
	return false;
}

int abut_bench_peers(bool json, bool quick, unsigned long long seed)
{
	if (!abut_peer_mujoco_found) {
		abut_report("bench: peers: built without MuJoCo; install Debian's libmujoco-dev and build again");
		return ABUT_EXIT_USAGE;
	}
	char machine[ABUT_BENCH_MACHINE_SIZE];
	AbutError error = {0};
	const AbutPeerEffort effort = abut_peer_effort(quick);
	Comparison *comparison = calloc(1, sizeof *comparison);
	if (!comparison) {
		abut_report("bench: out of memory");
		return ABUT_EXIT_MACHINE;
	}
	abut_bench_machine(machine);
	if (!json) {
		printf("abut %s on %s\n", abut_version(), machine);
		printf("%-21s %-16s %6s %10s %10s %10s %8s %8s %8s %6s %10s %10s\n", "case", "engine", "steps",
		       "us median", "us mean", "us p99", "/ median", "/ mean", "exact %", "failed", "pen mm", "kg m/s");
	}
	const AbutStatus status = compare_all(!json, &effort, seed, comparison, &error);
	int exit_status = any_failed(comparison) ? ABUT_EXIT_CHECK : ABUT_EXIT_DONE;
	if (status != ABUT_OK) {
		exit_status = abut_report_error(&error, ABUT_EXIT_CHECK);
	} else if (json) {
		print_json(comparison, machine, seed);
	} else {
		print_tail(comparison);
	}
	free(comparison);
	return abut_finish_stdout(exit_status);
}
