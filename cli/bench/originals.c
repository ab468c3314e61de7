/* Runs `abut bench originals`: compares methods lcp and convex with DART and MuJoCo, and prints a table or JSON. */
#include <stdio.h>

#include "cli/bench/heading.h"
#include "cli/common/print.h"
#include "cli/common/report.h"
#include "experiments/peers/originals.h"

typedef struct Row {
	const AbutOriginalCase *which;
	AbutOriginalPair pair;
	AbutOriginalResult result;
	AbutOriginalVerdict verdict;
} Row;

static const char *const claims[] = {[ABUT_ORIGINAL_NOTHING] = "-",
                                     [ABUT_ORIGINAL_WRENCHES] = "wrenches",
                                     [ABUT_ORIGINAL_MOTION] = "motion",
                                     [ABUT_ORIGINAL_MOMENTUM] = "momentum"};

static void print_head(void)
{
	printf("%-15s %-15s %-16s %9s %9s %6s %9s %9s %9s %9s %9s %7s  %s\n", "case", "ours", "theirs", "us", "us",
	       "ratio", "wrench", "m", "m/s", "kg m/s", "kg m/s", "gave up", "agrees in");
}

static void print_row(const Row *row)
{
	static const char *const words[] = {
	    [ABUT_ORIGINAL_UNJUDGED] = "", [ABUT_ORIGINAL_AGREES] = "", [ABUT_ORIGINAL_DIFFERS] = ": NOT"};
	const AbutOriginalResult *r = &row->result;
	printf("%-15s %-15s %-16s %9.2f %9.2f %6.3f %9.1e %9.1e %9.1e %9.1e %9.1e %7ld  %s%s\n", row->which->scene.name,
	       row->pair.ours->name, row->pair.theirs->name, r->ours.us_mean, r->theirs.us_mean,
	       r->ours.us_mean / r->theirs.us_mean, r->difference.wrench, r->difference.position,
	       r->difference.velocity, r->ours.momentum, r->theirs.momentum, r->theirs.failed_steps,
	       claims[abut_original_claim(row->which, &row->pair)], words[row->verdict]);
	fflush(stdout);
}

static void print_json(const Row *row)
{
	static const char *const words[] = {
	    [ABUT_ORIGINAL_UNJUDGED] = "null", [ABUT_ORIGINAL_AGREES] = "true", [ABUT_ORIGINAL_DIFFERS] = "false"};
	const AbutOriginalResult *r = &row->result;
	printf("\n  {\"name\": \"%s\", \"ours\": \"%s\", \"theirs\": \"%s\", \"claim\": \"%s\", \"agrees\": %s",
	       row->which->scene.name, row->pair.ours->name, row->pair.theirs->name,
	       claims[abut_original_claim(row->which, &row->pair)], words[row->verdict]);
	abut_print_number("step_time_us_mean", r->ours.us_mean);
	abut_print_number("their_step_time_us_mean", r->theirs.us_mean);
	abut_print_number("ratio_mean", r->ours.us_mean / r->theirs.us_mean);
	abut_print_number("wrench_difference", r->difference.wrench);
	abut_print_number("position_difference", r->difference.position);
	abut_print_number("velocity_difference", r->difference.velocity);
	abut_print_number("spin_difference", r->difference.spin);
	abut_print_number("momentum_mean", r->ours.momentum);
	abut_print_number("their_momentum_mean", r->theirs.momentum);
	printf(", \"failed_steps\": %ld, \"their_failed_steps\": %ld}", r->ours.failed_steps, r->theirs.failed_steps);
}

/* Runs and prints the chosen cases of all pairs. */
static AbutStatus run_all(const char *name, bool json, bool quick, unsigned long long seed, long *failed,
                          AbutError *error)
{
	const char *separator = "";
	for (int p = 0; p < abut_original_pair_count(); p++) {
		for (int i = 0; i < abut_original_case_count; i++) {
			Row row = {.which = &abut_original_cases[i], .pair = abut_original_pair(p)};
			if (!abut_original_case_chosen(i, name) || !abut_original_pair_takes(&row.pair, row.which)) {
				continue;
			}
			if (abut_original_compare(row.which, &row.pair, seed, quick, &row.result, error) != ABUT_OK) {
				return error->status;
			}
			row.verdict =
			    quick ? ABUT_ORIGINAL_UNJUDGED : abut_original_verdict(row.which, &row.pair, &row.result);
			*failed += row.result.ours.failed_steps;
			if (json) {
				printf("%s", separator);
				print_json(&row);
				separator = ",";
			} else {
				print_row(&row);
			}
		}
	}
	return ABUT_OK;
}

static int run(const char *name, bool json, bool quick, unsigned long long seed)
{
	AbutError error = {.status = ABUT_OK};
	long failed = 0;
	if (abut_original_pair_count() == 0) {
		return abut_refuse(
		    "bench originals: built without DART and MuJoCo; install Debian's libdart-dev or libmujoco-dev "
		    "and build again");
	}
	if (!abut_bench_any_chosen(abut_original_case_count, abut_original_case_chosen, name)) {
		return abut_refuse("bench originals: no case starts with '%s'", name);
	}
	abut_bench_print_heading(json, "cases", seed);
	if (!json) {
		print_head();
	}
	const AbutStatus status = run_all(name, json, quick, seed, &failed, &error);
	if (json) {
		printf("\n]}\n");
	}
	const int exit_status = failed > 0 ? ABUT_EXIT_CHECK : ABUT_EXIT_DONE;
	return abut_finish_stdout(status == ABUT_OK ? exit_status : abut_report_error(&error, ABUT_EXIT_CHECK));
}

const AbutBenchPart abut_bench_originals = {"originals", true, run};
