/* abut run SCENE */
#include <stdio.h>
#include <stdlib.h>

#include "cli/changes.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/run_page.h"
#include "cli/run_table.h"
#include "experiments/sweep/text.h"
#include "io/dump.h"
#include "io/output.h"
#include "io/run.h"

typedef struct Options {
	bool json, quiet, dump_relaxed, view, no_view;
	const char *scene, *out, *log, *dumps;
	unsigned long long seed, threads;
	AbutSceneChanges changes;
	char *default_out; /* owned: of --view without --out */
} Options;

/* Everything that a run holds; all of it may be NULL. */
typedef struct Job {
	AbutScene *scene;
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
	AbutOutput *output;
	AbutDumps *dumps;
} Job;

static void close_job(Job *job)
{
	abut_dumps_destroy(job->dumps);
	abut_output_destroy(job->output);
	abut_workspace_destroy(job->workspace);
	abut_state_destroy(job->state);
	abut_model_destroy(job->model);
	abut_scene_destroy(job->scene);
}

/* The scene first and the output folder last: a call that is wrong writes nothing. */
static int open_job(const Options *options, Job *job)
{
	AbutError error = {0};
	const int exit_status = abut_changes_open(&options->changes, options->scene, &job->scene, &job->model);
	if (exit_status != ABUT_EXIT_DONE) {
		return exit_status;
	}
	if (!options->quiet) {
		abut_report_warnings(job->scene);
	}
	if (abut_state_create(job->model, &job->state, &error) != ABUT_OK ||
	    abut_workspace_create_threaded(job->model, (int)options->threads, &job->workspace, &error) != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_MACHINE);
	}
	if ((options->out || options->log) &&
	    abut_output_open(options->out, options->log, &job->output, &error) != ABUT_OK) {
		return abut_report_error(&error, abut_exit_status(&error));
	}
	const AbutDumpsOptions dumps = {options->dumps, options->dump_relaxed, options->seed};
	if (options->dumps && abut_dumps_open(&dumps, job->scene, job->model, &job->dumps, &error) != ABUT_OK) {
		return abut_report_error(&error, abut_exit_status(&error));
	}
	return ABUT_EXIT_DONE;
}

static AbutStatus show_progress(void *context, const AbutRunView *view, AbutError *error)
{
	(void)error;
	abut_progress_show(context, view->step, view->steps);
	return ABUT_OK;
}

/* Says which steps failed; the exit status of a run that ended. */
static int judge(const Options *options, const AbutRunSummary *summary)
{
	if (summary->failed_steps == 0) {
		return ABUT_EXIT_DONE;
	}
	if (summary->ended_early) {
		abut_report("%s: step %ld of %ld was not solved: %s; the run ends at %g s", options->scene,
		            summary->steps, summary->steps_asked, summary->ending, summary->final_time);
	} else {
		abut_report("%s: %ld of %ld steps failed, the first at step %ld: %s", options->scene,
		            summary->failed_steps, summary->steps, summary->first_failed_step, summary->failure);
	}
	return ABUT_EXIT_CHECK;
}

static AbutRunPage page_of(const Options *options, long states)
{
	return (AbutRunPage){options->out, options->view, options->no_view, states};
}

static void print_folder(const Options *options, const char *missing_page)
{
	printf("\n  written to %s: summary.json, trajectory.csv, contacts.csv, steps.csv, scene.json%s\n", options->out,
	       missing_page || options->no_view ? "" : ", replay.html");
	if (missing_page) {
		printf("  no replay.html: %s\n", missing_page);
	}
}

static int run_job(const Options *options, Job *job)
{
	AbutProgress progress = abut_progress_begin("steps");
	AbutRunObserver observers[3];
	int n_observers = 0;
	if (job->output) {
		observers[n_observers++] = (AbutRunObserver){abut_output_observe, job->output, options->log != NULL};
	}
	if (job->dumps) {
		observers[n_observers++] = (AbutRunObserver){abut_dumps_observe, job->dumps, false};
	}
	if (!options->quiet && progress.wanted) {
		observers[n_observers++] = (AbutRunObserver){show_progress, &progress, false};
	}
	AbutError error = {0};
	AbutRunSummary summary;
	const AbutSceneDef *def = abut_scene_def(job->scene);
	AbutStatus status = abut_run(job->model, job->state, job->workspace, abut_run_steps(def), observers,
	                             n_observers, &summary, &error);
	abut_progress_end(&progress);
	const AbutRunReport report = {def, job->model, job->state, &summary, options->seed};
	if (status == ABUT_OK && job->output) {
		status = abut_output_commit(job->output, &report, &error);
	}
	if (status != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_MACHINE);
	}
	const char *missing_page = NULL;
	const AbutRunPage page = page_of(options, summary.steps * abut_model_body_count(job->model));
	const int page_status = abut_run_page_write(&page, &missing_page);
	if (page_status != ABUT_EXIT_DONE) {
		return page_status;
	}
	if (options->json) {
		abut_output_write_summary(stdout, &report);
	} else if (!options->quiet) {
		abut_print_run(&report);
		if (options->log) {
			printf("\n  iterations written to %s\n", options->log);
		}
		if (options->out) {
			print_folder(options, missing_page);
		}
		if (job->dumps) {
			printf("\n  %ld steps kept in %s\n", abut_dumps_written(job->dumps), options->dumps);
		}
	}
	if (job->dumps && abut_dumps_left_out(job->dumps) > 0) {
		abut_report("%s: %d steps are kept, the most of a run; %ld more are not", options->dumps,
		            (int)ABUT_DUMPS_MAX, abut_dumps_left_out(job->dumps));
	}
	return abut_finish_stdout(judge(options, &summary));
}

/* The folder of a page that is asked for without --out. False: out of memory. */
static bool choose_folder(Options *options)
{
	if (options->view && !options->out) {
		char *const stem = abut_text_stem(options->scene);
		options->default_out = stem ? abut_text_format("out/%s", stem) : NULL;
		options->out = options->default_out;
		free(stem);
		return options->out != NULL;
	}
	return true;
}

static int run_verb(Options *options)
{
	if (options->dump_relaxed && !options->dumps) {
		abut_report("run: --dump-relaxed goes with --dump-failures");
		return ABUT_EXIT_USAGE;
	}
	if (!abut_run_page_check(&(AbutRunPage){.wanted = options->view, .unwanted = options->no_view})) {
		return ABUT_EXIT_USAGE;
	}
	int exit_status = abut_changes_check(&options->changes);
	if (exit_status == ABUT_EXIT_DONE && !choose_folder(options)) {
		abut_report("out of memory");
		exit_status = ABUT_EXIT_MACHINE;
	}
	if (exit_status == ABUT_EXIT_DONE) {
		Job job = {0};
		exit_status = open_job(options, &job);
		if (exit_status == ABUT_EXIT_DONE) {
			exit_status = run_job(options, &job);
		}
		close_job(&job);
	}
	return exit_status;
}

int abut_verb_run(int argc, char **argv)
{
	Options options = {.threads = 1};
	const AbutOption table[] = {
	    {"method", ABUT_OPTION_TEXT, &options.changes.method},
	    {"set", ABUT_OPTION_LIST, &options.changes.overrides},
	    {"out", ABUT_OPTION_TEXT, &options.out},
	    {"json", ABUT_OPTION_FLAG, &options.json},
	    {"quiet", ABUT_OPTION_FLAG, &options.quiet},
	    {"seed", ABUT_OPTION_NUMBER, &options.seed},
	    {"threads", ABUT_OPTION_THREADS, &options.threads},
	    {"log", ABUT_OPTION_TEXT, &options.log},
	    {"dump-failures", ABUT_OPTION_TEXT, &options.dumps},
	    {"dump-relaxed", ABUT_OPTION_FLAG, &options.dump_relaxed},
	    {"view", ABUT_OPTION_FLAG, &options.view},
	    {"no-view", ABUT_OPTION_FLAG, &options.no_view},
	};
	int exit_status = ABUT_EXIT_MACHINE;
	if (abut_changes_create(argc, &options.changes) &&
	    abut_args_parse("run", argc, argv, table, sizeof table / sizeof *table, 1, 1, &options.scene,
	                    &exit_status)) {
		exit_status = run_verb(&options);
	}
	free(options.default_out);
	abut_changes_free(&options.changes);
	return exit_status;
}
