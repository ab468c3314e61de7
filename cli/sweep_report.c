#include "cli/sweep_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "experiments/sweep/sweep.h"
#include "experiments/sweep/table.h"
#include "io/text/file_text.h"

static int print_record(const char *folder)
{
	static const char name[] = "/sweep.json";
	AbutError error = {0};
	char *text = NULL;
	size_t length = 0;
	const size_t size = strlen(folder) + sizeof name;
	char *const path = malloc(size);
	if (!path) {
		abut_report("out of memory");
		return ABUT_EXIT_MACHINE;
	}
	snprintf(path, size, "%s%s", folder, name);
	const AbutStatus status = abut_file_read(path, "sweep", (size_t)1 << 30, &text, &length, &error);
	free(path);
	if (status != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_MACHINE);
	}
	fwrite(text, 1, length, stdout);
	free(text);
	return abut_finish_stdout(ABUT_EXIT_DONE);
}

/* The runs of one scene by one method. */
typedef struct Group {
	const char *scene, *method;
	long runs, failed, refused, steps;
	double iterations, penetration;
	const char *message; /* of the first run that failed or was refused */
} Group;

static void add_row(const AbutSweepTable *table, long row, Group *group)
{
	const char *outcome = abut_sweep_table_text(table, row, abut_sweep_table_column(table, "outcome"));
	const char *message = abut_sweep_table_text(table, row, abut_sweep_table_column(table, "message"));
	group->runs++;
	group->failed += strcmp(outcome, "failed") == 0;
	group->refused += strcmp(outcome, "refused") == 0;
	if (!group->message && message[0]) {
		group->message = message;
	}
	const double steps = abut_sweep_table_number(table, row, abut_sweep_table_column(table, "steps"));
	if (!isnan(steps)) {
		const int iterations = abut_sweep_table_column(table, "iterations_mean");
		const int penetration = abut_sweep_table_column(table, "max_penetration");
		group->steps += (long)steps;
		group->iterations += steps * abut_sweep_table_number(table, row, iterations);
		group->penetration = fmax(group->penetration, abut_sweep_table_number(table, row, penetration));
	}
}

static void print_group(const Group *group)
{
	printf("%-28.28s %-13s %8ld %8ld %8ld %10ld", group->scene, group->method, group->runs, group->failed,
	       group->refused, group->steps);
	if (group->steps > 0) {
		printf(" %10.2f %10.2g\n", group->iterations / (double)group->steps, group->penetration);
	} else {
		printf(" %10s %10s\n", "-", "-");
	}
	if (group->message) {
		printf("  %s\n", group->message);
	}
}

/* Runs of one scene and method stand together, as these are the first axes. */
static void print_table(const AbutSweepTable *table, const char *folder)
{
	const int scene = abut_sweep_table_column(table, "scene"), method = abut_sweep_table_column(table, "method");
	printf("%-28s %-13s %8s %8s %8s %10s %10s %10s\n", "scene", "method", "runs", "failed", "refused", "steps",
	       "iterations", "pen. m");
	Group group = {.runs = 0};
	for (long i = 0; i < abut_sweep_table_rows(table); i++) {
		const char *of_scene = abut_sweep_table_text(table, i, scene);
		const char *by_method = abut_sweep_table_text(table, i, method);
		if (group.runs > 0 && (strcmp(group.scene, of_scene) != 0 || strcmp(group.method, by_method) != 0)) {
			print_group(&group);
			group.runs = 0;
		}
		if (group.runs == 0) {
			group = (Group){.scene = of_scene, .method = by_method};
		}
		add_row(table, i, &group);
	}
	if (group.runs > 0) {
		print_group(&group);
	}
	printf("\nwritten to %s: runs.csv, times.csv, sweep.json\n", folder);
}

int abut_report_sweep(const char *folder, bool json)
{
	AbutError error = {0};
	AbutSweepTable *table = NULL;
	if (json) {
		return print_record(folder);
	}
	if (abut_sweep_table_read(folder, &table, &error) != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_MACHINE);
	}
	print_table(table, folder);
	abut_sweep_table_destroy(table);
	return abut_finish_stdout(ABUT_EXIT_DONE);
}
