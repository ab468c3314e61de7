/* What the parts of `abut bench` share: choosing cases, printing the first line (machine and version), and the list of
 * the parts. */
#pragma once

#include <stdbool.h>

/* Prints machine and version as text, or the beginning of a JSON object up to its array `rows`. */
void abut_bench_print_heading(bool json, const char *rows, unsigned long long seed);
/* Returns whether `chosen` accepts one of the `n` cases for the name `name`. */
bool abut_bench_any_chosen(int n, bool (*chosen)(int index, const char *prefix), const char *name);

/* A part of the benchmark: `abut bench NAME`. */
typedef struct AbutBenchPart {
	const char *name;
	bool has_cases; /* takes a second argument, which selects cases */
	/* Runs and prints the cases whose names start with `name` (NULL: all), with few steps if `quick`. Returns the
	 * exit status. */
	int (*run)(const char *name, bool json, bool quick, unsigned long long seed);
} AbutBenchPart;

/* The same scenes in Abut and in other engines; methods lcp and convex compared with the engines they come from; times
 * of collision queries; robots in Abut and MuJoCo. */
extern const AbutBenchPart abut_bench_peers, abut_bench_originals, abut_bench_query, abut_bench_robots;
