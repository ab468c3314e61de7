/* Runs `abut bench query`: measures queries of all pairs of shapes, also by other libraries, and prints a table or
 * JSON. */
#include <math.h>
#include <stdio.h>

#include "cli/bench/heading.h"
#include "cli/common/print.h"
#include "cli/common/report.h"
#include "experiments/queries/measure.h"
#include "experiments/queries/queries.h"

static void print_head(void)
{
	printf("us per query, mean over random poses, of which about half overlap\n");
	printf("  cold, warm   growth distance, point and normal, exact; warm: b moves by 2 mm between queries\n");
	printf("  relaxed      the same at kappa 1e-6; gradient: extra time for the derivatives by poses and sizes\n");
	for (int i = 0; i < abut_query_peer_count(); i++) {
		printf("  %-12s %s\n", abut_query_peer(i)->name, abut_query_peer(i)->computes);
	}
	printf("%-16s %-16s %7s %7s %7s %8s %8s %8s", "a", "b", "cold", "warm", "relaxed", "gradient", "supports",
	       "exact %");
	for (int i = 0; i < abut_query_peer_count(); i++) {
		printf(" %9s", abut_query_peer(i)->name);
	}
	printf("\n");
}

static void print_row(const AbutQueryRow *row)
{
	printf("%-16s %-16s %7.2f %7.2f %7.2f %8.2f %8.1f %8.2f", abut_shape_kind_name(row->a),
	       abut_shape_kind_name(row->b), row->cold, row->warm, row->relaxed, row->gradient, row->supports,
	       100.0 * row->exact_share);
	for (int i = 0; i < abut_query_peer_count(); i++) {
		if (isnan(row->peer[i])) {
			printf(" %9s", "-");
		} else {
			printf(" %9.2f", row->peer[i]);
		}
	}
	printf("\n");
	fflush(stdout);
}

static void print_json(const AbutQueryRow *row, const char *separator)
{
	printf("%s\n  {\"a\": \"%s\", \"b\": \"%s\"", separator, abut_shape_kind_name(row->a),
	       abut_shape_kind_name(row->b));
	abut_print_number("cold_us", row->cold);
	abut_print_number("warm_us", row->warm);
	abut_print_number("relaxed_us", row->relaxed);
	abut_print_number("gradient_us", row->gradient);
	abut_print_number("supports", row->supports);
	abut_print_number("exact_share", row->exact_share);
	printf(", \"failed\": %ld, \"others\": [", row->failed);
	for (int i = 0; i < abut_query_peer_count(); i++) {
		printf("%s{\"name\": \"%s\"", i > 0 ? ", " : "", abut_query_peer(i)->name);
		abut_print_number("us", row->peer[i]);
		printf("}");
	}
	printf("]}");
}

/* Prints the bounds, but not for few poses, whose times are too inaccurate. */
static void print_bounds(const AbutQueryRow *rows, int n, bool json)
{
	for (int i = 0; i < abut_query_bound_count; i++) {
		const AbutQueryBound *bound = &abut_query_bounds[i];
		const double value = abut_query_bound_value(bound, rows, n);
		if (json) {
			printf("%s\n  {\"name\": \"%s\"", i > 0 ? "," : "", bound->name);
			abut_print_number("value", value);
			abut_print_number("bound", bound->most);
			printf(", \"met\": %s}", value <= bound->most ? "true" : "false");
		} else {
			printf("bound: %-36s %5.2f, at most %.1f: %s\n", bound->name, value, bound->most,
			       value <= bound->most ? "met" : "NOT met");
		}
	}
}

static int run(const char *name, bool json, bool quick, unsigned long long seed)
{
	AbutQueryRow rows[ABUT_QUERY_ROWS_MAX];
	const int n = abut_query_row_count;
	int exit_status = ABUT_EXIT_DONE;
	(void)name;
	abut_bench_print_heading(json, "pairs", seed);
	if (!json) {
		print_head();
	}
	for (int i = 0; i < n; i++) {
		AbutError error = {0};
		if (abut_query_measure(i, quick, seed, &rows[i], &error) != ABUT_OK) {
			return abut_report_error(&error, ABUT_EXIT_CHECK);
		}
		if (json) {
			print_json(&rows[i], i > 0 ? "," : "");
		} else {
			print_row(&rows[i]);
		}
		exit_status = rows[i].failed > 0 ? ABUT_EXIT_CHECK : exit_status;
	}
	if (json) {
		printf("\n], \"bounds\": [");
	}
	if (!quick) {
		print_bounds(rows, n, json);
	}
	if (json) {
		printf("\n]}\n");
	}
	return abut_finish_stdout(exit_status);
}

const AbutBenchPart abut_bench_query = {"query", false, run};
