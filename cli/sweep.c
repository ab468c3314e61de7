/* abut sweep SPEC; abut sweep --merge DIR... */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/sweep_report.h"
#include "experiments/sweep/grid.h"
#include "experiments/sweep/load.h"
#include "experiments/sweep/merge.h"
#include "experiments/sweep/ranks.h"
#include "experiments/sweep/run.h"
#include "experiments/sweep/sweep.h"

typedef struct Options {
	bool resume, merge, json, quiet;
	const char *out, *shard, *show;
	unsigned long long threads, seed; /* not_given: as the sweep sees fit */
	int n_words;
	const char **words;
	int part, parts; /* of --shard */
} Options;

static const unsigned long long not_given = ULLONG_MAX; /* more than any option may be */

/* --- progress --- */

typedef struct Bar {
	double shown_s; /* when it was drawn last; negative: not yet */
} Bar;

/* "3 h 05 min", "12 min", "40 s" */
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
	Bar *bar = context;
	char cells[WIDTH + 1], left[32];
	if (bar->shown_s >= 0.0 && progress->elapsed_s - bar->shown_s < 0.2 && progress->done < progress->total) {
		return;
	}
	const int full = (int)((double)WIDTH * (double)progress->done / (double)progress->total);
	for (int i = 0; i < WIDTH; i++) {
		cells[i] = i < full ? '#' : '.';
	}
	cells[WIDTH] = '\0';
	fprintf(stderr, "\r\033[K[%s] %ld of %ld runs, %ld failed, %ld refused, %s left", cells, progress->done,
	        progress->total, progress->failed, progress->refused, duration_text(progress->left_s, left));
	bar->shown_s = progress->elapsed_s;
}

/* --- the two calls --- */

static int finish(const Options *options, const char *folder)
{
	if (options->quiet && !options->json) {
		return ABUT_EXIT_DONE;
	}
	return abut_report_sweep(folder, options->json);
}

static int merge(const Options *options)
{
	AbutError error = {0};
	if (!options->out) {
		abut_report("sweep: --merge needs --out DIR, where the joined sweep goes");
		return ABUT_EXIT_USAGE;
	}
	if (abut_sweep_merge(options->n_words, options->words, options->out, NULL, &error) != ABUT_OK) {
		return abut_report_error(&error, abut_exit_status(&error));
	}
	return finish(options, options->out);
}

static int run(const Options *options, const AbutSweep *sweep, const char *folder, const AbutRanks *ranks)
{
	AbutError error = {0};
	Bar bar = {-1.0};
	const bool is_first = ranks->rank == 0;
	const bool shows = is_first && !options->quiet && isatty(STDERR_FILENO);
	const int threads = ranks->size > 1 ? 1 : 0; /* processes have been given the cores by mpirun */
	AbutSweepOptions how = {.threads = options->threads != not_given ? (int)options->threads : threads,
	                        .resume = options->resume,
	                        .shard = options->part,
	                        .shards = options->parts,
	                        .ranks = ranks->size > 1 ? ranks : NULL,
	                        .progress = shows ? show_progress : NULL,
	                        .context = &bar};
	const AbutStatus status = abut_sweep_run(sweep, folder, &how, NULL, &error);
	if (bar.shown_s >= 0.0) {
		fputs("\r\033[K", stderr);
	}
	if (!is_first) { /* the first one reports for all */
		return status == ABUT_OK ? ABUT_EXIT_DONE : abut_exit_status(&error);
	}
	return status == ABUT_OK ? finish(options, folder) : abut_report_error(&error, abut_exit_status(&error));
}

/* out/NAME, and of a shard out/NAME-I-of-N. */
static char *default_folder(const Options *options)
{
	const char *slash = strrchr(options->words[0], '/'), *start = slash ? slash + 1 : options->words[0];
	const char *dot = strrchr(start, '.');
	const size_t length = dot && dot > start ? (size_t)(dot - start) : strlen(start), size = length + 64;
	char *const folder = malloc(size);
	if (folder && options->parts > 0) {
		snprintf(folder, size, "out/%.*s-%d-of-%d", (int)length, start, options->part, options->parts);
	} else if (folder) {
		snprintf(folder, size, "out/%.*s", (int)length, start);
	}
	return folder;
}

static int show(const Options *options, const AbutSweep *sweep)
{
	AbutError error = {0};
	char *end = NULL;
	const long number = strtol(options->show, &end, 10);
	if (end == options->show || *end != '\0') {
		abut_report("sweep: --show must be the number of a run, is '%s'", options->show);
		return ABUT_EXIT_USAGE;
	}
	if (number < 0 || number >= abut_sweep_run_count(sweep)) { /* `number` is not the word where that is too long */
		abut_report("sweep: there is no run %s; they are 0 to %ld", options->show,
		            abut_sweep_run_count(sweep) - 1);
		return ABUT_EXIT_USAGE;
	}
	if (abut_sweep_write_call(sweep, number, stdout, &error) != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_USAGE);
	}
	return abut_finish_stdout(ABUT_EXIT_DONE);
}

/* Every process reads the spec; what one of them finds wrong, all know. */
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
		abut_report("out of memory");
	} else if (load(options, ranks, &sweep, &error) != ABUT_OK) {
		exit_status = error.status == ABUT_ERROR_MEMORY ? ABUT_EXIT_MACHINE : ABUT_EXIT_USAGE;
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

/* "I/N", 1 <= I <= N. */
static bool read_shard(Options *options)
{
	int used = -1;
	if (options->shard &&
	    (sscanf(options->shard, "%9d/%9d%n", &options->part, &options->parts, &used) != 2 || used < 0 ||
	     options->shard[used] != '\0' || options->part < 1 || options->part > options->parts)) {
		abut_report("sweep: --shard must be I/N, 1 <= I <= N, is '%s'", options->shard);
		return false;
	}
	return true;
}

static bool check_words(const Options *options)
{
	if (options->merge && options->n_words == 0) {
		abut_report("sweep: --merge needs the folders of the shards: abut sweep --merge DIR... --out DIR");
		return false;
	}
	if (options->n_words == 0) {
		abut_report("sweep: the spec is missing; `abut help sweep` shows the call");
		return false;
	}
	if (!options->merge && options->n_words > 1) {
		abut_report("sweep: one word too many: '%s'; `abut help sweep` shows the call", options->words[1]);
		return false;
	}
	if (options->merge && (options->shard || options->resume || options->show || options->seed != not_given ||
	                       options->threads != not_given)) {
		abut_report("sweep: --merge goes with --out, --json and --quiet alone");
		return false;
	}
	return true;
}

int abut_verb_sweep(int argc, char **argv)
{
	Options options = {
	    .threads = not_given, .seed = not_given, .words = calloc((size_t)argc + 1, sizeof *options.words)};
	int exit_status = ABUT_EXIT_MACHINE;
	if (!options.words) {
		abut_report("out of memory");
		return exit_status;
	}
	const AbutOption table[] = {
	    {"out", ABUT_OPTION_TEXT, &options.out},     {"resume", ABUT_OPTION_FLAG, &options.resume},
	    {"merge", ABUT_OPTION_FLAG, &options.merge}, {"json", ABUT_OPTION_FLAG, &options.json},
	    {"quiet", ABUT_OPTION_FLAG, &options.quiet}, {"threads", ABUT_OPTION_THREADS, &options.threads},
	    {"shard", ABUT_OPTION_TEXT, &options.shard}, {"show", ABUT_OPTION_TEXT, &options.show},
	    {"seed", ABUT_OPTION_NUMBER, &options.seed},
	};
	if (abut_args_parse("sweep", argc, argv, table, sizeof table / sizeof *table, 0, argc, options.words,
	                    &exit_status)) {
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
