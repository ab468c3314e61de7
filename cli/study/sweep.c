/* Runs the verb `sweep`, which runs a grid of scenes, methods, parameters and seeds, and joins shards. Tested in
 * tests/cli/study/sweep.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/common/args.h"
#include "cli/common/print.h"
#include "cli/common/progress.h"
#include "cli/common/report.h"
#include "experiments/sweep/grid.h"
#include "experiments/sweep/load.h"
#include "experiments/sweep/merge.h"
#include "experiments/sweep/ranks.h"
#include "experiments/sweep/run.h"
#include "experiments/sweep/sweep.h"
#include "experiments/sweep/table.h"
#include "io/text/words.h"

typedef struct Options {
	bool resume, merge, json, quiet;
	const char *out, *shard, *show;
	unsigned long long threads, seed; /* not_given: the defaults */
	int n_words;
	const char **words;
	int part, parts; /* of --shard */
} Options;

static const unsigned long long not_given = ULLONG_MAX; /* more than an option may be */

/* --- progress --- */

/* Writes a duration, such as "3 h 05 min", "12 min" or "40 s". */
static const char *duration_text(double seconds, char out[32])
{
	const long total = (long)(seconds + 0.5);
	if (total >= 3600) {
		snprintf(out, 32, "%ld h %02ld min", total / 3600, total / 60 % 60);
	} else if (total >= 100) {
		snprintf(out, 32, "%ld min", (total + 30) / 60);
	} else {
		snprintf(out, 32, "%ld s", total);
	}
	return out;
}

static void show_progress(void *context, const AbutSweepProgress *progress)
{
	enum { WIDTH = 30 };
	char cells[WIDTH + 1], left[32];
	if (!abut_progress_due(context)) {
		return;
	}
	const int full = (int)((double)WIDTH * (double)progress->done / (double)progress->total);
	for (int i = 0; i < WIDTH; i++) {
		cells[i] = i < full ? '#' : '.';
	}
	cells[WIDTH] = '\0';
	abut_progress_line(context, "[%s] %ld of %ld runs, %ld failed, %ld refused, %s left", cells, progress->done,
	                   progress->total, progress->failed, progress->refused, duration_text(progress->left_s, left));
}

/* --- results --- */

/* The runs of one scene by one method. */
typedef struct Group {
	const char *scene, *method;
	long runs, failed, refused, steps;
	double iterations, penetration;
	const char *message; /* the first message of a run that failed or was refused */
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

/* Prints a line for each scene and method. Their runs are consecutive, because these are the first axes of the grid. */
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

static int report(const char *folder, bool json)
{
	AbutError error = {0};
	AbutSweepTable *table = NULL;
	if (json) {
		return abut_print_file(folder, "sweep.json");
	}
	if (abut_sweep_table_read(folder, &table, &error) != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_MACHINE);
	}
	print_table(table, folder);
	abut_sweep_table_destroy(table);
	return abut_finish_stdout(ABUT_EXIT_DONE);
}

/* --- runs and shards --- */

/* Prints the results, unless --quiet forbids it. */
static int finish(const Options *options, const char *folder)
{
	return options->quiet && !options->json ? ABUT_EXIT_DONE : report(folder, options->json);
}

static int merge(const Options *options)
{
	AbutError error = {0};
	if (!options->out) {
		return abut_refuse("sweep: --merge needs --out DIR, the folder of the joined sweep");
	}
	if (abut_sweep_merge(options->n_words, options->words, options->out, NULL, &error) != ABUT_OK) {
		return abut_report_error(&error, abut_exit_status(&error));
	}
	return finish(options, options->out);
}

static int run(const Options *options, const AbutSweep *sweep, const char *folder, const AbutRanks *ranks)
{
	AbutError error = {0};
	const bool is_first = ranks->rank == 0;
	AbutProgress progress = abut_progress_begin();
	progress.wanted = progress.wanted && is_first && !options->quiet;
	const int threads = ranks->size > 1 ? 1 : 0; /* mpirun has distributed the cores to its processes */
	AbutSweepOptions how = {.threads = options->threads != not_given ? (int)options->threads : threads,
	                        .resume = options->resume,
	                        .shard = options->part,
	                        .shards = options->parts,
	                        .ranks = ranks->size > 1 ? ranks : NULL,
	                        .progress = progress.wanted ? show_progress : NULL,
	                        .context = &progress};
	const AbutStatus status = abut_sweep_run(sweep, folder, &how, NULL, &error);
	abut_progress_end(&progress);
	if (!is_first) { /* the first process reports for all */
		return status == ABUT_OK ? ABUT_EXIT_DONE : abut_exit_status(&error);
	}
	return status == ABUT_OK ? finish(options, folder) : abut_report_error(&error, abut_exit_status(&error));
}

/* Returns out/NAME, for a shard out/NAME-I-of-N; the caller frees it. */
static char *default_folder(const Options *options)
{
	char *const stem = abut_text_stem(options->words[0]), *folder = NULL;
	if (stem && options->parts > 0) {
		folder = abut_text_format("out/%s-%d-of-%d", stem, options->part, options->parts);
	} else if (stem) {
		folder = abut_text_format("out/%s", stem);
	}
	free(stem);
	return folder;
}

static int show(const Options *options, const AbutSweep *sweep)
{
	AbutError error = {0};
	char *end = NULL;
	const long number = strtol(options->show, &end, 10);
	if (end == options->show || *end != '\0') {
		return abut_refuse("sweep: --show is '%s'; it must be the number of a run", options->show);
	}
	if (number < 0 || number >= sweep->run_count) { /* a number that is too long differs from the word */
		return abut_refuse("sweep: run %s does not exist; the runs are 0 to %ld", options->show,
		                   sweep->run_count - 1);
	}
	if (abut_sweep_write_call(sweep, number, stdout, &error) != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_USAGE);
	}
	return abut_finish_stdout(ABUT_EXIT_DONE);
}

/* Loads the spec in every process; an error in one of them ends all. */
static AbutStatus load(const Options *options, const AbutRanks *ranks, AbutSweep **sweep, AbutError *error)
{
	const unsigned long long *seed = options->seed != not_given ? &options->seed : NULL;
	const AbutStatus status = abut_sweep_load(options->words[0], seed, sweep, error);
	return ranks->size > 1 ? abut_ranks_agree(ranks, status, error) : status;
}

static int run_spec(const Options *options, const AbutRanks *ranks)
{
	AbutError error = {0};
	AbutSweep *sweep = NULL;
	char *const default_out = default_folder(options);
	int exit_status = ABUT_EXIT_MACHINE;
	if (!default_out) {
		abut_report_memory();
	} else if (load(options, ranks, &sweep, &error) != ABUT_OK) {
		exit_status = abut_is_of_system(error.status) ? ABUT_EXIT_MACHINE : ABUT_EXIT_USAGE;
		if (ranks->rank == 0) {
			abut_report_error(&error, exit_status);
		}
	} else if (options->show) {
		exit_status = ranks->rank == 0 ? show(options, sweep) : ABUT_EXIT_DONE;
	} else {
		exit_status = run(options, sweep, options->out ? options->out : default_out, ranks);
	}
	abut_sweep_destroy(sweep);
	free(default_out);
	return exit_status;
}

static int run_ranks(const Options *options)
{
	AbutError error = {0};
	AbutRanks ranks = {0, 1};
	if (!abut_ranks_started()) {
		return run_spec(options, &ranks);
	}
	if (abut_ranks_begin(&ranks, &error) != ABUT_OK) {
		return ranks.rank == 0 ? abut_report_error(&error, ABUT_EXIT_USAGE) : ABUT_EXIT_USAGE;
	}
	const int exit_status = run_spec(options, &ranks);
	abut_ranks_end();
	return exit_status;
}

/* --- arguments --- */

/* Reads I/N, 1 <= I <= N. */
static bool read_shard(Options *options)
{
	int used = -1;
	if (options->shard &&
	    (sscanf(options->shard, "%9d/%9d%n", &options->part, &options->parts, &used) != 2 || used < 0 ||
	     options->shard[used] != '\0' || options->part < 1 || options->part > options->parts)) {
		return abut_deny("sweep: --shard is '%s'; it must be I/N with 1 <= I <= N", options->shard);
	}
	return true;
}

static bool check_words(const Options *options)
{
	if (options->merge && options->n_words == 0) {
		return abut_deny("sweep: --merge needs the folders of the shards: abut sweep --merge DIR... --out DIR");
	}
	if (options->n_words == 0) {
		return abut_deny("sweep: the spec is missing; `abut help sweep` shows the usage");
	}
	if (!options->merge && options->n_words > 1) {
		return abut_deny("sweep: '%s' is one argument too many; `abut help sweep` shows the usage",
		                 options->words[1]);
	}
	if (options->merge && (options->shard || options->resume || options->show || options->seed != not_given ||
	                       options->threads != not_given)) {
		return abut_deny("sweep: --merge allows only --out, --json and --quiet");
	}
	return true;
}

static int execute(const AbutVerb *verb, int argc, char **argv)
{
	Options options = {
	    .threads = not_given, .seed = not_given, .words = calloc((size_t)argc + 1, sizeof *options.words)};
	int exit_status = ABUT_EXIT_MACHINE;
	if (!options.words) {
		return abut_report_memory();
	}
	const AbutOption table[] = {
	    {"out", ABUT_OPTION_TEXT, &options.out},      {"resume", ABUT_OPTION_FLAG, &options.resume},
	    {"merge", ABUT_OPTION_FLAG, &options.merge},  {"json", ABUT_OPTION_FLAG, &options.json},
	    {"quiet", ABUT_OPTION_FLAG, &options.quiet},  {"threads", ABUT_OPTION_THREADS, &options.threads},
	    {"shard", ABUT_OPTION_TEXT, &options.shard},  {"show", ABUT_OPTION_TEXT, &options.show},
	    {"seed", ABUT_OPTION_INTEGER, &options.seed},
	};
	if (abut_args_parse(verb, argc, argv, table, sizeof table / sizeof *table, options.words, &exit_status)) {
		exit_status = ABUT_EXIT_USAGE;
		while (options.n_words < argc && options.words[options.n_words]) {
			options.n_words++;
		}
		if (read_shard(&options) && check_words(&options)) {
			exit_status = options.merge ? merge(&options) : run_ranks(&options);
		}
	}
	free(options.words);
	return exit_status;
}

const AbutVerb abut_verb_sweep = {
    .name = "sweep",
    .summary = "run a grid of scenes, methods, parameters and seeds",
    .help = "usage: abut sweep SPEC [--out DIR] [--resume] [--threads N] [--shard I/N] [--seed N] [--json] [--quiet]\n"
            "       abut sweep SPEC --show RUN\n"
            "       abut sweep --merge DIR... --out DIR [--json] [--quiet]\n"
            "       mpirun -n N abut sweep SPEC ...\n"
            "\n"
            "Runs every combination of scenes, methods, parameters and seeds that SPEC, a JSON file, describes.\n"
            "Writes runs.csv with one row per run, times.csv and sweep.json. runs.csv does not depend on the\n"
            "number of threads, shards or processes. A run that fails, or a scene that the method does not\n"
            "support, is a row too and does not change the exit status.\n"
            "\n"
            "  --out DIR         the folder of the results (default: out/ and the name of SPEC)\n"
            "  --resume          continues an unfinished sweep in this folder, or starts it\n"
            "  --threads N       number of runs at a time (default 0: one per core; under mpirun 1 per process)\n"
            "  --shard I/N       makes only share I of N of the runs: one of N jobs, each with its own folder\n"
            "  --merge           joins the folders of all shards into one, as if one machine had made all runs\n"
            "  --seed N          first seed, instead of the first seed in SPEC\n"
            "  --show RUN        prints the `abut run` command that repeats a run, given by its number in\n"
            "                    runs.csv\n"
            "  --json            prints the counts as one JSON object instead of the table\n"
            "  --quiet           prints only errors\n"
            "\n"
            "Under mpirun the processes share the runs that are missing. If one is killed, its unfinished runs\n"
            "are lost; --resume makes them.\n"
            "\n"
            "Exit status: 0 all runs ended; 2 the call, the spec or the folder is wrong; 3 system error (memory,\n"
            "disk), with all finished runs kept.\n",
    .argument = "spec",
    .min_arguments = 0,
    .max_arguments = ABUT_ANY_ARGUMENTS,
    .run = execute};
