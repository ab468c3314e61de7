/* abut bench query: all pairs of shapes and the other libraries, as a table or as JSON. */
#include "cli/bench_query.h"

#include <math.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/json_print.h"
#include "experiments/bench/bench.h"
#include "experiments/queries/measure.h"
#include "experiments/queries/queries.h"
#include "io/text/number.h"

static void print_head(const char *machine)
{
	printf("abut %s on %s\n", abut_version(), machine);
	printf("us of a query, means over random poses, of which some half overlap\n");
	printf("  cold, warm   the growth distance, point and normal, exact; warm: b moves by 2 mm between queries\n");
	printf("  relaxed      the same at kappa 1e-6; gradient: of all of that by poses and sizes, on top\n");
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

/* A few poses say nothing about times. */
static void print_bounds(const AbutQueryRow *rows, int n, bool json)
{
	for (int i = 0; i < abut_query_bound_count(); i++) {
		const AbutQueryBound *bound = abut_query_bound(i);
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

int abut_bench_query(bool json, bool quick, unsigned long long seed)
{
	char machine[ABUT_BENCH_MACHINE_SIZE];
	AbutQueryRow rows[ABUT_QUERY_ROWS_MAX];
	const int n = abut_query_row_count();
	int exit_status = ABUT_EXIT_DONE;
	abut_bench_machine(machine);
	if (json) {
		printf("{\"machine\": ");
		abut_json_write_string(stdout, machine);
		printf(", \"version\": \"%s\", \"seed\": %llu, \"pairs\": [", abut_version(), seed);
	} else {
		print_head(machine);
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
