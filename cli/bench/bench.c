/* Runs the verb `bench`, which measures the solver on fixed cases. `bench originals`, `peers`, `query` and
 * `robots` have sources of their own. Tested in tests/cli/bench/bench.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/bench/derivatives.h"
#include "cli/bench/heading.h"
#include "cli/common/args.h"
#include "cli/common/print.h"
#include "cli/common/report.h"
#include "experiments/bench/bench.h"
#include "experiments/bench/inverse.h"

static void print_row(const AbutBenchResult *result)
{
	char p99[16] = "-"; /* batches have none */
	if (!isnan(result->iterations_p99)) {
		snprintf(p99, sizeof p99, "%.0f", result->iterations_p99);
	}
	printf("%-28s %8ld %10.2f %10.2f %10.2f %10.2f %6s %9.2f %8ld\n", result->name, result->steps,
	       result->step_time_us_median, result->step_time_us_mean, result->step_time_us_p99,
	       result->iterations_mean, p99, 100.0 * result->exact_share, result->failed_steps);
	fflush(stdout);
}

static bool has_derivative(const AbutBenchResult *result)
{
	return !isnan(result->plain_time_us_mean);
}

static void print_json(const AbutBenchResult *result, const char *separator)
{
	printf("%s\n  {\"name\": \"%s\", \"bodies\": %d, \"steps\": %ld", separator, result->name, result->bodies,
	       result->steps);
	abut_print_number("step_time_us_median", result->step_time_us_median);
	abut_print_number("step_time_us_mean", result->step_time_us_mean);
	abut_print_number("step_time_us_p99", result->step_time_us_p99);
	abut_print_number("iterations_mean", result->iterations_mean);
	abut_print_number("iterations_p99", result->iterations_p99);
	abut_print_number("exact_share", result->exact_share);
	if (has_derivative(result)) {
		abut_print_number("plain_time_us_mean", result->plain_time_us_mean);
		abut_print_number("derivative_over_step", result->step_time_us_mean / result->plain_time_us_mean - 1.0);
	}
	if (!isnan(result->adjoint_time_us_mean)) {
		abut_print_number("adjoint_time_us_mean", result->adjoint_time_us_mean);
	}
	printf(", \"retried_steps\": %ld, \"failed_steps\": %ld}", result->retried_steps, result->failed_steps);
}

/* Prints what a derivative adds to the time of a step. */
static void print_derivatives(const AbutBenchResult *results, int n)
{
	bool begun = false;
	for (int i = 0; i < n; i++) {
		const AbutBenchResult *result = &results[i];
		char back[16] = "-"; /* single steps have none */
		if (!has_derivative(result)) {
			continue;
		}
		if (!begun) {
			printf("%-28s %10s %10s %10s %11s %10s\n", "a step's mean time, us", "plain", "with", "adjoint",
			       "added/plain", "with/plain");
			begun = true;
		}
		if (!isnan(result->adjoint_time_us_mean)) {
			snprintf(back, sizeof back, "%.3f", result->adjoint_time_us_mean);
		}
		const double ratio = result->step_time_us_mean / result->plain_time_us_mean;
		printf("%-28s %10.3f %10.3f %10s %11.2f %10.2f\n", result->name, result->plain_time_us_mean,
		       result->step_time_us_mean, back, ratio - 1.0, ratio);
	}
}

/* Prints the bounds whose cases were run. */
static void print_bounds(const AbutBenchResult *results, int n)
{
	for (int i = 0; i < abut_bench_bound_count; i++) {
		const AbutBenchBound *bound = &abut_bench_bounds[i];
		const double value = abut_bench_bound_value(bound, results, n);
		if (!isnan(value)) {
			printf("bound: %s of %s%s%s %.2f, at most %.1f: %s\n",
			       abut_bench_quantity_name(bound->quantity), bound->of, bound->over ? " over " : "",
			       bound->over ? bound->over : "", value, bound->bound,
			       value <= bound->bound ? "met" : "NOT met");
		}
	}
}

static void print_json_bounds(const AbutBenchResult *results, int n)
{
	const char *separator = "";
	for (int i = 0; i < abut_bench_bound_count; i++) {
		const AbutBenchBound *bound = &abut_bench_bounds[i];
		const double value = abut_bench_bound_value(bound, results, n);
		if (!isnan(value)) {
			printf("%s\n  {\"quantity\": \"%s\", \"of\": \"%s\", \"over\": ", separator,
			       abut_bench_quantity_name(bound->quantity), bound->of);
			printf(bound->over ? "\"%s\"" : "%s", bound->over ? bound->over : "null");
			abut_print_number("value", value);
			abut_print_number("bound", bound->bound);
			printf(", \"met\": %s}", value <= bound->bound ? "true" : "false");
			separator = ",";
		}
	}
}

static bool any_chosen(const char *name)
{
	char list[1024] = "";
	if (abut_bench_any_chosen(abut_bench_count, abut_bench_chosen, name)) {
		return true;
	}
	for (int i = 0; i < abut_bench_count; i++) {
		const size_t n = strlen(list);
		snprintf(list + n, sizeof list - n, "%s%s", i > 0 ? ", " : "", abut_bench_name(i));
	}
	return abut_deny("bench: no case starts with '%s'; the cases are %s", name, list);
}

static void print_all_json(const AbutBenchResult *results, int n)
{
	for (int i = 0; i < n; i++) {
		print_json(&results[i], i > 0 ? "," : "");
	}
	printf("\n], \"bounds\": [");
	print_json_bounds(results, n);
	printf("\n]}\n");
}

static int run_cases(const char *name, bool json, unsigned long long seed)
{
	AbutBenchResult results[ABUT_BENCH_MAX];
	int n = 0, exit_status = ABUT_EXIT_DONE;
	if (!json) {
		abut_bench_print_heading(false, NULL, seed);
		printf("%-28s %8s %10s %10s %10s %10s %6s %9s %8s\n", "case", "steps", "us median", "us mean", "us p99",
		       "iterations", "p99", "exact %", "failed");
	}
	for (int i = 0; i < abut_bench_count; i++) {
		AbutError error = {0};
		if (!abut_bench_chosen(i, name)) {
			continue;
		}
		if (abut_bench_run(i, seed, &results[n], &error) != ABUT_OK) {
			/* The only thing that a case can lack is threads. */
			const bool no_threads = error.status == ABUT_ERROR_UNSUPPORTED;
			return abut_report_error(&error, no_threads ? ABUT_EXIT_MACHINE : ABUT_EXIT_CHECK);
		}
		if (!json) {
			print_row(&results[n]);
		}
		exit_status = results[n].failed_steps > 0 ? ABUT_EXIT_CHECK : exit_status;
		n++;
	}
	if (json) {
		abut_bench_print_heading(true, "cases", seed);
		print_all_json(results, n);
	} else {
		print_derivatives(results, n);
		print_bounds(results, n);
	}
	return abut_finish_stdout(exit_status);
}

/* --- impulses from velocities --- */

static void print_inverse(const AbutInverseResult *row, bool json, const char *separator)
{
	if (json) {
		printf("%s\n  {\"contacts\": %d", separator, row->contacts);
		abut_print_number("per_second", row->per_second);
		abut_print_number("published", row->published);
		abut_print_number("iterations_mean", row->iterations_mean);
		abut_print_number("largest_error", row->largest_error);
		printf(", \"unsolved\": %d}", row->unsolved);
	} else {
		printf("%8d %12.0f %12.0f %10.1f %10.1e %8d\n", row->contacts, row->per_second, row->published,
		       row->iterations_mean, row->largest_error, row->unsolved);
	}
}

static int run_inverse(bool json, unsigned long long seed)
{
	int exit_status = ABUT_EXIT_DONE;
	abut_bench_print_heading(json, "inverse", seed);
	if (!json) {
		printf("%8s %12s %12s %10s %10s %8s\n", "contacts", "per second", "published", "iterations", "error",
		       "unsolved");
	}
	for (int i = 0; i < abut_bench_inverse_count; i++) {
		AbutInverseResult row;
		AbutError error = {0};
		if (abut_bench_inverse_run(i, seed, &row, &error) != ABUT_OK) {
			return abut_report_error(&error, ABUT_EXIT_CHECK);
		}
		print_inverse(&row, json, i > 0 ? "," : "");
		exit_status = row.unsolved > 0 ? ABUT_EXIT_CHECK : exit_status;
	}
	if (json) {
		printf("\n]}\n");
	}
	return abut_finish_stdout(exit_status);
}

/* --- the call --- */

/* Returns the message for options that do not go with the cases; NULL: they do. */
static const char *wrong_options(const char *name, bool quick, const char *data)
{
	const bool derivatives = name && strcmp(name, "derivatives") == 0;
	if (data && !derivatives) {
		return "bench: --data needs derivatives";
	}
	return quick && !derivatives ? "bench: --quick needs peers, originals, query, robots or derivatives" : NULL;
}

static int execute(const AbutVerb *verb, int argc, char **argv)
{
	static const AbutBenchPart *const parts[] = {&abut_bench_peers, &abut_bench_originals, &abut_bench_query,
	                                             &abut_bench_robots};
	static const int n_parts = sizeof parts / sizeof *parts;
	bool json = false, quick = false;
	unsigned long long seed = 0;
	const char *words[2] = {NULL, NULL}, *data = NULL;
	const AbutOption options[] = {{"json", ABUT_OPTION_FLAG, &json},
	                              {"quick", ABUT_OPTION_FLAG, &quick},
	                              {"data", ABUT_OPTION_TEXT, &data},
	                              {"seed", ABUT_OPTION_INTEGER, &seed}};
	int exit_status = ABUT_EXIT_USAGE;
	if (!abut_args_parse(verb, argc, argv, options, sizeof options / sizeof *options, words, &exit_status)) {
		return exit_status;
	}
	for (int i = 0; words[0] && !data && i < n_parts; i++) {
		if (strcmp(words[0], parts[i]->name) == 0 && (parts[i]->has_cases || !words[1])) {
			return parts[i]->run(words[1], json, quick, seed);
		}
	}
	const char *wrong = wrong_options(words[0], quick, data);
	if (wrong) {
		return abut_refuse("%s", wrong);
	}
	if (words[0] && strcmp(words[0], "derivatives") == 0) {
		return abut_bench_derivatives(words[1], data, json, quick, seed);
	}
	if (words[1]) {
		return abut_refuse("bench: '%s' and '%s' are two names; it takes one", words[0], words[1]);
	}
	if (words[0] && strcmp(words[0], "inverse") == 0) {
		return run_inverse(json, seed);
	}
	return any_chosen(words[0]) ? run_cases(words[0], json, seed) : ABUT_EXIT_USAGE;
}

const AbutVerb abut_verb_bench = {
    .name = "bench",
    .summary = "measure the speed of the solver on fixed cases",
    .help = "usage: abut bench [NAME] [--json] [--seed N]\n"
            "       abut bench peers [NAME] [--quick] [--json] [--seed N]\n"
            "       abut bench originals [NAME] [--quick] [--json] [--seed N]\n"
            "       abut bench query [--quick] [--json] [--seed N]\n"
            "       abut bench robots [NAME] [--quick] [--json] [--seed N]\n"
            "       abut bench derivatives [NAME] [--data DIR] [--quick] [--json] [--seed N]\n"
            "       abut bench inverse [--json] [--seed N]\n"
            "\n"
            "Measures time per step, iterations and share of exact steps for fixed cases. NAME selects the cases\n"
            "whose names start with it; the piles pile_20, pile_100 and pile_1000 run only if NAME is their full\n"
            "name.\n"
            "\n"
            "  peers             compares with MuJoCo and ODE on the same scenes; takes some minutes. Needs\n"
            "                    Debian's libmujoco-dev or libode-dev at build time\n"
            "  originals         compares method lcp with DART, and method convex with MuJoCo: contact forces,\n"
            "                    motion, momentum and times. Needs Debian's libdart-dev or libmujoco-dev at build\n"
            "                    time\n"
            "  query             times collision queries of all pairs of shapes: scaling, contact point, normal,\n"
            "                    derivatives\n"
            "  robots            compares with MuJoCo on Gymnasium's ant and on chains of hinges, if Debian's\n"
            "                    libmujoco-dev was there at build time. Columns: joints, the largest error of a\n"
            "                    joint or limit (rad, m); depth, the deepest overlap; deriv, the time of the\n"
            "                    derivative by state and input; per step, that time over the time of the step;\n"
            "                    deriv %, the share of steps that have this derivative\n"
            "  derivatives       compares the time of a step with its derivative by state and input with that of\n"
            "                    central differences, on robots, for methods single-level and lcp. Columns: coord.,\n"
            "                    coordinates of the joints and of the base; with, the steps that have a derivative;\n"
            "                    ratio min., the ratio to differences by coordinates, rates and motors only\n"
            "  inverse           counts how many times per second contact impulses are computed from velocities,\n"
            "                    for 2, 5, 10 and 20 contacts\n"
            "\n"
            "  --data DIR        of derivatives: also Gymnasium's ant, half-cheetah, hopper and humanoid,\n"
            "                    Unitree's A1 and Dojo's Atlas, from DIR/models/gym_ant/ant.xml,\n"
            "                    gym_half_cheetah/half_cheetah.xml, gym_hopper/hopper.xml,\n"
            "                    gym_humanoid/humanoid.xml, menagerie_unitree_a1/a1_nomesh.xml and\n"
            "                    dojo_atlas/atlas_simple.urdf\n"
            "  --quick           takes only a few steps of each case, to show that it works; without verdicts\n"
            "  --json            prints one JSON object instead of tables\n"
            "  --seed N          seed of all random choices\n"
            "\n"
            "Exit status: 0 done, 1 a step failed, 2 the call is wrong, 3 system error (memory, disk).\n",
    .argument = "name",
    .min_arguments = 0,
    .max_arguments = 2,
    .run = execute};
