/* Runs the verb `experiment`, which lists and runs the named experiments. Tested in tests/cli/study/experiment.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/thread_pool.h"
#include "cli/common/args.h"
#include "cli/common/progress.h"
#include "cli/common/report.h"
#include "experiments/registry/registry.h"
#include "experiments/report/table_files.h"
#include "io/text/words.h"

typedef struct Options {
	const char *name, *out, *spec, *data;
	bool quick, resume, json;
	unsigned long long threads, seed; /* seed: NO_SEED if not given */
} Options;

/* Larger than every seed that --seed accepts. */
static const unsigned long long NO_SEED = ~0ull;

static int list(bool json)
{
	printf(json ? "{\"experiments\": [" : "experiments\n");
	for (int i = 0; i < abut_experiment_count; i++) {
		const AbutExperiment *experiment = abut_experiments[i];
		if (json) {
			printf("%s\n  {\"name\": \"%s\", \"title\": \"%s\"}", i > 0 ? "," : "", experiment->name,
			       experiment->title);
		} else {
			printf("  %-18s %s\n", experiment->name, experiment->title);
		}
	}
	printf(json ? "\n]}\n" : "`abut experiment NAME --quick` runs one within a minute\n");
	return abut_finish_stdout(ABUT_EXIT_DONE);
}

static const AbutExperiment *find(const char *name)
{
	const AbutExperiment *experiment = abut_experiment_find(name);
	const char **names = calloc((size_t)abut_experiment_count, sizeof *names);
	if (!experiment && names) {
		char text[512], meant[ABUT_MEANT_SIZE];
		for (int i = 0; i < abut_experiment_count; i++) {
			names[i] = abut_experiments[i]->name;
		}
		const char *known = abut_experiment_meant(name);
		abut_meant(known ? known : abut_text_nearest(name, names, abut_experiment_count), meant);
		abut_text_join(names, abut_experiment_count, text, sizeof text);
		abut_report("experiment: '%.40s' is not an experiment; %sthe experiments are %s", name, meant, text);
	}
	free(names);
	return experiment;
}

static void show_progress(void *context, double share)
{
	AbutProgress *progress = context;
	if (abut_progress_due(progress)) {
		const double elapsed = 1e-6 * (progress->last_us - progress->begun_us);
		abut_progress_line(progress, "%3.0f %%, %.0f s left", 100.0 * share,
		                   share > 0.0 ? elapsed * (1.0 - share) / share : 0.0);
	}
}

static int width_of(const AbutTable *table, int column)
{
	char text[ABUT_CELL_SIZE];
	int width = (int)strlen(table->columns[column].name);
	for (int row = 0; row < abut_table_rows(table); row++) {
		const int length = (int)strlen(abut_table_show(table, row, column, text));
		width = length > width ? length : width;
	}
	return width;
}

/* Prints a table, text on the left and numbers on the right, with the column names of the files. */
static void print_table(const AbutTable *table)
{
	printf("\n%s\n", table->title);
	for (int row = -1; row < abut_table_rows(table); row++) {
		for (int i = 0; i < table->n_columns; i++) {
			if (table->columns[i].digits == ABUT_COLUMN_OF_FILES) {
				continue;
			}
			char text[ABUT_CELL_SIZE];
			const bool left = abut_table_rows(table) > 0 && abut_table_cell(table, 0, i)->text;
			const char *shown = row < 0 ? table->columns[i].name : abut_table_show(table, row, i, text);
			printf(left ? "  %-*s" : "  %*s", width_of(table, i), shown);
		}
		putchar('\n');
	}
	for (int i = 0; i < table->n_notes; i++) {
		printf("  %s\n", table->notes[i]);
	}
}

static void print_report(const AbutReport *report, const char *out)
{
	printf("%s\n", report->title);
	for (int i = 0; i < report->n_tables; i++) {
		if (!report->tables[i]->data) {
			print_table(report->tables[i]);
		}
	}
	if (report->n_targets > 0) {
		putchar('\n');
	}
	for (int i = 0; i < report->n_targets; i++) {
		const AbutReportTarget *target = &report->targets[i];
		if (target->verdict == ABUT_VERDICT_NONE) {
			printf("result: %s\n", target->text);
		} else {
			printf("target: %s: %s\n", target->text, abut_verdict_name(target->verdict));
		}
	}
	if (report->quick) {
		printf("quick run: no verdicts\n");
	}
	printf("\nreport: %s/report.html\n", out);
}

/* Writes the command that repeats the run. Returns false if memory runs out. */
static bool write_command(const Options *options, char *out, size_t size)
{
	out[0] = '\0';
	FILE *file = fmemopen(out, size, "w");
	if (!file) {
		return false;
	}
	fprintf(file, "abut experiment %s%s", options->name, options->quick ? " --quick" : "");
	if (options->spec) {
		fputs(" --spec ", file);
		abut_text_write_quoted(file, options->spec);
	}
	if (options->data) {
		fputs(" --data ", file);
		abut_text_write_quoted(file, options->data);
	}
	if (options->seed != NO_SEED) {
		fprintf(file, " --seed %llu", options->seed);
	}
	fclose(file);
	return true;
}

static int run(const Options *options, const AbutExperiment *experiment)
{
	char out[512], command[16384];
	bool undrawn = false;
	AbutReport report;
	AbutError error = {0};
	AbutProgress progress = abut_progress_begin();
	snprintf(out, sizeof out, "out/%s%s", options->name, options->quick ? "-quick" : "");
	if (!write_command(options, command, sizeof command)) {
		abut_progress_end(&progress);
		return abut_report_memory();
	}
	const AbutExperimentRun asked = {
	    .spec = options->spec,
	    .out = options->out ? options->out : out,
	    .data = options->data,
	    .command = command,
	    .quick = options->quick,
	    .resume = options->resume,
	    .threads = options->threads > 0 ? (int)options->threads : abut_thread_cores(),
	    .seed = options->seed != NO_SEED ? &options->seed : NULL,
	    .progress = progress.wanted ? show_progress : NULL,
	    .context = &progress,
	};
	const AbutStatus status = abut_experiment_run(experiment, &asked, &report, &undrawn, &error);
	abut_progress_end(&progress);
	if (status != ABUT_OK) {
		const bool of_machine = status == ABUT_ERROR_IO || abut_is_of_system(status);
		return abut_report_error(&error, of_machine ? ABUT_EXIT_MACHINE : ABUT_EXIT_USAGE);
	}
	if (undrawn) {
		abut_report("experiment: the figures are not drawn, since gnuplot is missing; install Debian's "
		            "gnuplot-nox");
	}
	for (int i = 0; i < report.n_figures; i++) {
		if (report.figures[i].problem) {
			abut_report("experiment: %s/%s.gp: %s", asked.out, report.figures[i].name,
			            report.figures[i].problem);
		}
	}
	if (options->json) {
		abut_report_write_json(stdout, &report);
	} else {
		print_report(&report, asked.out);
	}
	const bool missed = abut_report_missed(&report);
	abut_report_free(&report);
	return abut_finish_stdout(missed ? ABUT_EXIT_CHECK : ABUT_EXIT_DONE);
}

static int execute(const AbutVerb *verb, int argc, char **argv)
{
	Options options = {.name = NULL, .seed = NO_SEED};
	const AbutOption table[] = {
	    {"quick", ABUT_OPTION_FLAG, &options.quick},   {"out", ABUT_OPTION_TEXT, &options.out},
	    {"resume", ABUT_OPTION_FLAG, &options.resume}, {"threads", ABUT_OPTION_THREADS, &options.threads},
	    {"spec", ABUT_OPTION_TEXT, &options.spec},     {"json", ABUT_OPTION_FLAG, &options.json},
	    {"seed", ABUT_OPTION_INTEGER, &options.seed},  {"data", ABUT_OPTION_TEXT, &options.data},
	};
	int exit_status = ABUT_EXIT_USAGE;
	if (!abut_args_parse(verb, argc, argv, table, sizeof table / sizeof *table, &options.name, &exit_status)) {
		return exit_status;
	}
	if (!options.name) {
		return list(options.json);
	}
	const AbutExperiment *experiment = find(options.name);
	return experiment ? run(&options, experiment) : ABUT_EXIT_USAGE;
}

const AbutVerb abut_verb_experiment = {
    .name = "experiment",
    .summary = "run a named experiment: tables, figures and a report",
    .help = "usage: abut experiment\n"
            "       abut experiment NAME [--quick] [--out DIR] [--resume] [--threads N] [--spec FILE]\n"
            "                       [--json] [--seed N] [--data DIR]\n"
            "\n"
            "Without NAME, lists the experiments. Otherwise runs one and writes its results into DIR: every table\n"
            "as CSV and JSON, every figure as SVG and PNG with its gnuplot script, result.json, and report.html,\n"
            "one page with everything.\n"
            "\n"
            "  --quick           fewer runs, within a minute: shows that the experiment works, without verdicts\n"
            "  --out DIR         the folder of the results (default: out/NAME, or out/NAME-quick)\n"
            "  --resume          continues an unfinished run in DIR\n"
            "  --threads N       for experiments of many runs: number of runs at a time (default 0: one per core)\n"
            "  --spec FILE       settings of your own, instead of spec.json in the folder of the experiment\n"
            "  --json            prints result.json instead of the tables\n"
            "  --seed N          seed of all random choices\n"
            "  --data DIR        for robots: a folder with robots of other projects, which are not part of Abut,\n"
            "                    such as DIR/models/gym_ant/ant.xml; experiments/robots/README.md lists them\n"
            "                    (default: only the robots of Abut's own)\n"
            "\n"
            "Exit status: 0 done, 1 a target was missed, 2 the call or the spec is wrong, 3 system error (memory,\n"
            "disk).\n",
    .argument = "name",
    .min_arguments = 0,
    .max_arguments = 1,
    .run = execute};
