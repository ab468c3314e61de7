/* Runs `abut bench inverse`: contact impulses from velocities, printed as a table or as JSON. */
#include "cli/bench/inverse.h"

#include <stdio.h>

#include "cli/bench/heading.h"
#include "cli/common/print.h"
#include "cli/common/report.h"
#include "experiments/bench/inverse.h"

static void print_row(const AbutInverseResult *row, bool json, const char *separator)
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

int abut_bench_inverse(bool json, unsigned long long seed)
{
	int exit_status = ABUT_EXIT_DONE;
	abut_bench_print_heading(json, "inverse", seed);
	if (!json) {
		printf("%8s %12s %12s %10s %10s %8s\n", "contacts", "per second", "published", "iterations", "error",
		       "unsolved");
	}
	for (int i = 0; i < abut_bench_inverse_count(); i++) {
		AbutInverseResult row;
		AbutError error = {0};
		if (abut_bench_inverse_run(i, seed, &row, &error) != ABUT_OK) {
			return abut_report_error(&error, ABUT_EXIT_CHECK);
		}
		print_row(&row, json, i > 0 ? "," : "");
		exit_status = row.unsolved > 0 ? ABUT_EXIT_CHECK : exit_status;
	}
	if (json) {
		printf("\n]}\n");
	}
	return abut_finish_stdout(exit_status);
}
