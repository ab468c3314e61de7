/* Begins a benchmark: finds whether a case is chosen, and prints the first line, with machine and version. */
#include "cli/bench/heading.h"

#include <stdio.h>

#include "cli/common/print.h"
#include "experiments/bench/bench.h"

void abut_bench_print_heading(bool json, const char *rows, unsigned long long seed)
{
	char machine[ABUT_BENCH_MACHINE_SIZE];
	abut_bench_machine(machine);
	if (json) {
		abut_print_first("machine", machine);
		printf(", \"version\": \"%s\", \"seed\": %llu, \"%s\": [", abut_version(), seed, rows);
	} else {
		printf("abut %s on %s\n", abut_version(), machine);
	}
}

bool abut_bench_any_chosen(int n, bool (*chosen)(int index, const char *prefix), const char *name)
{
	bool any = false;
	for (int i = 0; i < n; i++) {
		any = any || chosen(i, name);
	}
	return any;
}
