/* abut run SCENE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/changes.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/run_page.h"
#include "cli/run_resume.h"
#include "cli/run_table.h"
#include "io/dump/write.h"
#include "io/run/folder.h"
#include "io/text/words.h"

typedef struct Options {
	bool json, quiet, dump_relaxed, view, no_view;
	const char *scene, *out, *log, *dumps, *inputs, *resume, *until;
	unsigned long long seed, threads, save_every;
	AbutSceneChanges changes;
	char *default_out; /* owned: of --view without --out */
} Options;

/* Everything that a run holds; all of it may be NULL. */
typedef struct Job {
	AbutResumed run; /* its scene and model; the settings are of a run that goes on */
	AbutState *state;
	AbutWorkspace *workspace;
	AbutRunFolder folder;
	AbutDumps *dumps;
	bool complete; /* of a run that was to go on: there is nothing left to do */
} Job;

static void close_job(Job *job)
{
	abut_dumps_destroy(job->dumps);
	abut_run_folder_close(&job->folder);
	abut_workspace_destroy(job->workspace);
	abut_state_destroy(job->state);
	abut_model_destroy(job->run.model);
	abut_scene_destroy(job->run.scene);
	abut_run_settings_free(&job->run.settings);
}

static unsigned long long seed_of(const Options *options, const Job *job)
{
	return options->resume ? job->run.settings.seed : options->seed;
}

static AbutResumeCall resume_call(const Options *options)
{
	return (AbutResumeCall){options->resume, options->until,    options->log,
	                        options->scene,  &options->changes, options->quiet};
}

static int read_scene(const Options *options, Job *job)
{
	if (options->resume) {
		const AbutResumeCall call = resume_call(options);
		return abut_resume_read(&call, &job->run);
	}
	const int exit_status = abut_changes_open(&options->changes, options->scene, &job->run.scene, &job->run.model);
	if (exit_status == ABUT_EXIT_DONE && !options->quiet) {
		abut_report_warnings(job->run.scene);
	}
	return exit_status;
}

static int begin_folder(const Options *options, Job *job)
{
	AbutError error = {0};
	if (options->resume) {
		const AbutResumeCall call = resume_call(options);
		return abut_resume_begin(&call, &job->run, job->state, &job->folder, &job->complete);
	}
	const AbutRunFolderOptions folder = {options->out, options->log, options->inputs, (long)options->save_every,
	                                     options->seed};
	if (abut_run_folder_begin(&folder, job->run.scene, job->run.model, job->state, &job->folder, &error) !=
	    ABUT_OK) {
		const bool of_inputs = options->inputs && strcmp(error.file, options->inputs) == 0;
		return abut_report_error(&error, of_inputs ? ABUT_EXIT_USAGE : abut_exit_status(&error));
	}
	return ABUT_EXIT_DONE;
}

/* The scene first and the output folder last: a call that is wrong writes nothing. */
static int open_job(const Options *options, Job *job)
{
	AbutError error = {0};
	const int exit_status = read_scene(options, job);
	if (exit_status != ABUT_EXIT_DONE) {
		return exit_status;
	}
	const AbutModel *model = job->run.model;
	if (abut_state_create(model, &job->state, &error) != ABUT_OK ||
	    abut_workspace_create_threaded(model, (int)options->threads, &job->workspace, &error) != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_MACHINE);
	}
	const AbutDumpsOptions dumps = {options->dumps, options->dump_relaxed, seed_of(options, job)};
	if (options->dumps && abut_dumps_open(&dumps, job->run.scene, model, &job->dumps, &error) != ABUT_OK) {
		return abut_report_error(&error, abut_exit_status(&error));
	}
	return begin_folder(options, job);
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
	const char *name = options->scene ? options->scene : options->resume;
	if (summary->interrupted) {
		abut_report("%s: interrupted after step %ld of %ld, at %g s", name, summary->steps,
		            summary->steps_asked, summary->final_time);
	}
	if (summary->failed_steps == 0) {
		return ABUT_EXIT_DONE;
	}
	if (summary->ended_early) {
		abut_report("%s: step %ld of %ld was not solved: %s; the run ends at %g s", name, summary->steps,
		            summary->steps_asked, summary->ending, summary->final_time);
	} else {
		abut_report("%s: %ld of %ld steps failed, the first at step %ld: %s", name, summary->failed_steps,
		            summary->steps, summary->first_failed_step, summary->failure);
	}
	return ABUT_EXIT_CHECK;
}

/* The folder of the run; NULL: none. */
static const char *folder_of(const Options *options)
{
	return options->out ? options->out : options->resume;
}

static void print_folder(const Options *options, const char *missing_page)
{
	printf("\n  written to %s: summary.json, trajectory.csv, contacts.csv, steps.csv, scene.json%s\n",
	       folder_of(options), missing_page || options->no_view ? "" : ", replay.html");
	if (missing_page) {
		printf("  no replay.html: %s\n", missing_page);
	}
}

static AbutRunPage page_of(const Options *options, const Job *job, long steps)
{
	return (AbutRunPage){folder_of(options), options->view, options->no_view,
	                     steps * abut_model_body_count(job->run.model)};
}

/* Whom the run shows itself to; how many there are. */
static int list_observers(const Options *options, const Job *job, AbutProgress *progress, AbutRunObserver out[4])
{
	int n = 0;
	if (job->folder.output) {
		out[n++] = (AbutRunObserver){abut_output_observe, job->folder.output, options->log != NULL};
	}
	if (job->folder.saver) {
		out[n++] = (AbutRunObserver){abut_saver_observe, job->folder.saver, false};
	}
	if (job->dumps) {
		out[n++] = (AbutRunObserver){abut_dumps_observe, job->dumps, false};
	}
	if (!options->quiet && progress->wanted) {
		out[n++] = (AbutRunObserver){show_progress, progress, false};
	}
	return n;
}

/* Takes the steps, and gives the files their last rows. */
static AbutStatus take_steps(const Options *options, Job *job, AbutRunSummary *summary, const AbutRunReport *report,
                             AbutError *error)
{
	AbutProgress progress = abut_progress_begin("steps");
	AbutRunObserver observers[4];
	const int n_observers = list_observers(options, job, &progress, observers);
	const AbutRunPlan plan = {.steps = abut_run_steps(report->def),
	                          .from = job->folder.goes_on ? &job->folder.point.summary : NULL,
	                          .drive = job->folder.driven ? abut_inputs_drive : NULL,
	                          .driver = &job->folder.inputs,
	                          .stop = abut_interrupt_catch()};
	const AbutStatus status =
	    abut_run_planned(job->run.model, job->state, job->workspace, &plan, observers, n_observers, summary, error);
	abut_progress_end(&progress);
	return status == ABUT_OK ? abut_run_folder_end(&job->folder, report, error) : status;
}

static void print_job(const Options *options, const Job *job, const AbutRunReport *report, const char *missing_page)
{
	if (job->folder.goes_on) {
		printf("goes on after step %ld, at %g s\n\n", job->folder.point.summary.steps,
		       (double)job->folder.point.summary.steps * abut_model_timestep(job->run.model));
	}
	abut_print_run(report);
	if (options->log) {
		printf("\n  iterations written to %s\n", options->log);
	}
	if (folder_of(options)) {
		print_folder(options, missing_page);
	}
	if (job->dumps) {
		printf("\n  %ld steps kept in %s\n", abut_dumps_written(job->dumps), options->dumps);
	}
}

static int run_job(const Options *options, Job *job)
{
	AbutError error = {0};
	AbutRunSummary summary = {0};
	const AbutRunReport report = {abut_scene_def(job->run.scene), job->run.model, job->state, &summary,
	                              seed_of(options, job)};
	if (take_steps(options, job, &summary, &report, &error) != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_MACHINE);
	}
	const char *missing_page = NULL;
	const AbutRunPage page = page_of(options, job, summary.steps);
	const int page_status = abut_run_page_write(&page, &missing_page);
	if (options->json) {
		abut_output_write_summary(stdout, &report);
	} else if (!options->quiet) {
		print_job(options, job, &report, missing_page);
	}
	if (job->dumps && abut_dumps_left_out(job->dumps) > 0) {
		abut_report("%s: %d steps are kept, the most of a run; %ld more are not", options->dumps,
		            (int)ABUT_DUMPS_MAX, abut_dumps_left_out(job->dumps));
	}
	const int run_status = judge(options, &summary);
	return abut_finish_stdout(page_status != ABUT_EXIT_DONE ? page_status : run_status);
}

/* What goes with --resume and what does not. */
static int check_resume(const Options *options)
{
	const struct {
		const char *name;
		bool given;
	} fixed[] = {{"out", options->out != NULL},
	             {"inputs", options->inputs != NULL},
	             {"save-every", options->save_every != 0},
	             {"seed", options->seed != 0},
	             {"set", !options->scene && options->changes.overrides.count > 0},
	             {"method", !options->scene && options->changes.method != NULL}};
	if (!options->resume) {
		const bool alone = options->save_every != 0 && !options->out;
		if (!options->scene || options->until || alone) {
			abut_report(!options->scene ? "run: the scene is missing; `abut help run` shows the call"
			            : options->until
			                ? "run: --until goes with --resume; --set duration=T sets a new run's"
			                : "run: --save-every goes with --out");
			return ABUT_EXIT_USAGE;
		}
		return ABUT_EXIT_DONE;
	}
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
		if (fixed[i].given) {
			abut_report("run: --%s cannot be changed with --resume: the run goes on as %s/run.json says",
			            fixed[i].name, options->resume);
			return ABUT_EXIT_USAGE;
		}
	}
	return ABUT_EXIT_DONE;
}

/* The folder of a page that is asked for without --out. False: out of memory. */
static bool choose_folder(Options *options)
{
	if (options->view && !folder_of(options)) {
		char *const stem = abut_text_stem(options->scene);
		options->default_out = stem ? abut_text_format("out/%s", stem) : NULL;
		options->out = options->default_out;
		free(stem);
		return options->out != NULL;
	}
	return true;
}

/* What goes with what, and whether a page that is asked for can be made. */
static int check_call(Options *options)
{
	int exit_status = check_resume(options);
	if (exit_status == ABUT_EXIT_DONE &&
	    !abut_run_page_check(&(AbutRunPage){.wanted = options->view, .unwanted = options->no_view})) {
		exit_status = ABUT_EXIT_USAGE;
	}
	if (exit_status == ABUT_EXIT_DONE) {
		exit_status = abut_changes_check(&options->changes);
	}
	if (exit_status == ABUT_EXIT_DONE && !choose_folder(options)) {
		abut_report("out of memory");
		exit_status = ABUT_EXIT_MACHINE;
	}
	return exit_status;
}

/* A run that is to go on and has ended: killed after its tables, it lacks its page. */
static int finish_complete(const Options *options, const Job *job)
{
	const AbutRunPage page = page_of(options, job, abut_run_steps(abut_scene_def(job->run.scene)));
	const char *missing_page = NULL;
	const int exit_status = abut_run_page_write(&page, &missing_page);
	if (exit_status != ABUT_EXIT_DONE) {
		return exit_status;
	}
	const AbutResumeCall call = resume_call(options);
	return abut_resume_print_complete(&call, job->state, options->json);
}

static int run_verb(Options *options)
{
	if (options->dump_relaxed && !options->dumps) {
		abut_report("run: --dump-relaxed goes with --dump-failures");
		return ABUT_EXIT_USAGE;
	}
	int exit_status = check_call(options);
	if (exit_status == ABUT_EXIT_DONE) {
		Job job = {0};
		exit_status = open_job(options, &job);
		if (exit_status == ABUT_EXIT_DONE && job.complete) {
			exit_status = finish_complete(options, &job);
		} else if (exit_status == ABUT_EXIT_DONE) {
			exit_status = run_job(options, &job);
		}
		close_job(&job);
	}
	abut_interrupt_obey();
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
	    {"inputs", ABUT_OPTION_TEXT, &options.inputs},
	    {"save-every", ABUT_OPTION_NUMBER, &options.save_every},
	    {"resume", ABUT_OPTION_TEXT, &options.resume},
	    {"until", ABUT_OPTION_TEXT, &options.until},
	    {"view", ABUT_OPTION_FLAG, &options.view},
	    {"no-view", ABUT_OPTION_FLAG, &options.no_view},
	};
	int exit_status = ABUT_EXIT_MACHINE;
	if (abut_changes_create(argc, &options.changes) &&
	    abut_args_parse("run", argc, argv, table, sizeof table / sizeof *table, 0, 1, &options.scene,
	                    &exit_status)) {
		exit_status = run_verb(&options);
	}
	free(options.default_out);
	abut_changes_free(&options.changes);
	return exit_status;
}
