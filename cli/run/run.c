/* Runs the verb `run`, which simulates a scene or continues a run (cli/run/resume.h). Tested in tests/cli/command.c and
 * tests/cli/run/resume.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/args.h"
#include "cli/common/interrupt.h"
#include "cli/common/open.h"
#include "cli/common/print.h"
#include "cli/common/progress.h"
#include "cli/common/report.h"
#include "cli/run/page.h"
#include "cli/run/resume.h"
#include "dynamics/model/model.h"
#include "io/dump/write.h"
#include "io/run/folder.h"
#include "io/text/words.h"

typedef struct Options {
	bool json, dump_relaxed, view, no_view;
	const char *out, *dumps, *inputs;
	unsigned long long seed, threads, save_every;
	AbutRunCall call;
	char *default_out; /* owned: the folder of --view without --out */
} Options;

/* All resources of a run; each may be NULL. */
typedef struct Job {
	AbutResumed run; /* scene and model; the settings only if the run is resumed */
	AbutReview review;
	AbutState *state;
	AbutWorkspace *workspace;
	AbutRunFolder folder;
	AbutDumps *dumps;
	bool complete; /* a resumed run with no steps left */
	const volatile sig_atomic_t *stop;
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
	return options->call.resume ? job->run.settings.seed : options->seed;
}

static int read_scene(const Options *options, Job *job)
{
	const int exit_status = options->call.resume ? abut_resume_read(&options->call, &job->run)
	                                             : abut_changes_open(&options->call.changes, options->call.scene,
	                                                                 &job->run.scene, &job->run.model);
	return exit_status == ABUT_EXIT_DONE
	           ? abut_review(job->run.scene, job->run.model, options->call.quiet, &job->review)
	           : exit_status;
}

/* Warns of rows of a table that begin after the end, and of efforts beyond the limits of their motors. */
static void doubt_inputs(const Options *options, const Job *job)
{
	const AbutSceneDef *def = abut_scene_def(job->run.scene);
	const AbutInputs *inputs = &job->folder.inputs;
	const long steps = abut_run_steps(def);
	const AbutInputDoubts doubts = abut_inputs_doubt(inputs, def, steps);
	if (doubts.n_late > 0) {
		abut_report(
		    "%s: warning: %d of %d rows begin after the last step, %ld (the first at step %ld), and have no "
		    "effect",
		    options->inputs, doubts.n_late, inputs->n, steps, doubts.late);
	}
	if (doubts.n_clamped > 0) {
		const AbutInputRow *row = &inputs->rows[doubts.clamped];
		abut_report(
		    "%s: warning: targets of %d rows are beyond the limits of their motors and are clamped; the "
		    "first is %g of joint '%s' at step %ld, its limit is %g",
		    options->inputs, doubts.n_clamped, row->target, def->joints[row->joint].name, row->step,
		    abut_inputs_limit(row, def));
	}
}

static int begin_folder(const Options *options, Job *job)
{
	AbutError error = {0};
	if (options->call.resume) {
		return abut_resume_begin(&options->call, &job->run, job->state, &job->folder, &job->complete);
	}
	const AbutRunFolderOptions folder = {options->out, options->call.log, options->inputs,
	                                     (long)options->save_every, options->seed};
	if (abut_run_folder_begin(&folder, job->run.scene, job->run.model, job->state, &job->folder, &error) !=
	    ABUT_OK) {
		const bool of_inputs = options->inputs && strcmp(error.file, options->inputs) == 0;
		return abut_report_error(&error, of_inputs ? ABUT_EXIT_USAGE : abut_exit_status(&error));
	}
	if (options->inputs && !options->call.quiet) {
		doubt_inputs(options, job);
	}
	if (job->folder.replaced[0] && !options->call.quiet) {
		abut_report("%s: replaces %s", options->out, job->folder.replaced);
	}
	return ABUT_EXIT_DONE;
}

/* Opens the scene first and the output folder last, so that a wrong call writes nothing. Until then, a signal ends the
 * process at once. */
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
	job->stop = abut_interrupt_catch();
	const AbutDumpsOptions dumps = {options->dumps, options->dump_relaxed, seed_of(options, job)};
	if (options->dumps && abut_dumps_open(&dumps, job->run.scene, model, &job->dumps, &error) != ABUT_OK) {
		return abut_report_error(&error, abut_exit_status(&error));
	}
	return begin_folder(options, job);
}

static AbutStatus show_progress(void *context, const AbutRunView *view, AbutError *error)
{
	(void)error;
	abut_progress_show(context, view->step, view->steps, "steps");
	return ABUT_OK;
}

/* Reports the steps that failed; returns the exit status. */
static int judge(const Options *options, const AbutRunSummary *summary)
{
	const char *name = options->call.scene ? options->call.scene : options->call.resume;
	if (summary->interrupted) {
		abut_report("%s: interrupted after step %ld of %ld, at %g s", name, summary->steps,
		            summary->steps_asked, summary->final_time);
	}
	if (summary->failed_steps == 0) {
		return ABUT_EXIT_DONE;
	}
	if (summary->ending[0]) {
		abut_report("%s: step %ld of %ld was not solved: %s; the run ends at %g s", name, summary->steps,
		            summary->steps_asked, summary->ending, summary->final_time);
	} else {
		abut_report("%s: %ld of %ld steps failed, the first at step %ld: %s", name, summary->failed_steps,
		            summary->steps, summary->first_failed_step, summary->failure);
	}
	return ABUT_EXIT_CHECK;
}

/* Returns the folder of the run; NULL if it has none. */
static const char *folder_of(const Options *options)
{
	return options->out ? options->out : options->call.resume;
}

static void print_folder(const Options *options, const AbutSceneDef *def, const char *missing_page)
{
	printf("\n  written to %s: summary.json, trajectory.csv, contacts.csv, steps.csv, %s%sscene.json%s\n",
	       folder_of(options), def->n_joints > 0 ? "joints.csv, " : "", def->n_sensors > 0 ? "sensors.csv, " : "",
	       missing_page || options->no_view ? "" : ", replay.html");
	if (missing_page) {
		printf("  no replay.html: %s\n", missing_page);
	}
}

static AbutRunPage page_of(const Options *options, const Job *job, long steps)
{
	return (AbutRunPage){folder_of(options), options->view, options->no_view,
	                     steps * abut_model_body_count(job->run.model)};
}

/* Lists the observers of the steps; returns their number. */
static int list_observers(const Options *options, const Job *job, AbutProgress *progress, AbutRunObserver out[4])
{
	int n = 0;
	if (job->folder.output) {
		out[n++] = (AbutRunObserver){abut_output_observe, job->folder.output, options->call.log != NULL};
	}
	if (job->folder.saver) {
		out[n++] = (AbutRunObserver){abut_saver_observe, job->folder.saver, false};
	}
	if (job->dumps) {
		out[n++] = (AbutRunObserver){abut_dumps_observe, job->dumps, false};
	}
	if (!options->call.quiet && progress->wanted) {
		out[n++] = (AbutRunObserver){show_progress, progress, false};
	}
	return n;
}

/* Takes the steps and completes the files. */
static AbutStatus take_steps(const Options *options, Job *job, AbutRunSummary *summary, const AbutRunReport *report,
                             AbutError *error)
{
	AbutProgress progress = abut_progress_begin();
	AbutRunObserver observers[4];
	const int n_observers = list_observers(options, job, &progress, observers);
	const AbutRunPlan plan = {.steps = abut_run_steps(report->def),
	                          .from = job->folder.goes_on ? &job->folder.point.summary : NULL,
	                          .drive = job->folder.driven ? abut_inputs_drive : NULL,
	                          .driver = &job->folder.inputs,
	                          .stop = job->stop};
	const AbutStatus status =
	    abut_run_planned(job->run.model, job->state, job->workspace, &plan, observers, n_observers, summary, error);
	abut_progress_end(&progress);
	return status == ABUT_OK ? abut_run_folder_end(&job->folder, report, error) : status;
}

/* Prints why steps ended relaxed, unless that was asked for. */
static void print_relaxed(const AbutRunReport *report)
{
	const AbutRunSummary *summary = report->summary;
	if (summary->relaxed_steps > 0 && report->def->solver.finish == ABUT_FINISH_EXACT) {
		printf("\n  %ld step%s ended relaxed, the first at step %ld: %s.\n", summary->relaxed_steps,
		       summary->relaxed_steps == 1 ? "" : "s", summary->first_relaxed_step,
		       report->model->method->relaxed);
	}
}

static void print_summary(const AbutRunReport *report)
{
	const AbutRunSummary *summary = report->summary;
	printf("%s\n", report->def->name);
	printf("  method          %s\n", abut_method_name(report->def->solver.method));
	printf("  seed            %llu\n", report->seed);
	printf("  steps           %ld of %g s\n", summary->steps, abut_model_timestep(report->model));
	printf("  exact           %ld\n", summary->exact_steps);
	printf("  relaxed         %ld%s\n", summary->relaxed_steps,
	       report->def->solver.finish == ABUT_FINISH_EXACT ? "" : ", as asked");
	printf("  retried         %ld\n", summary->retried_steps);
	printf("  half steps      %ld\n", summary->halved_steps);
	printf("  failed          %ld\n", summary->failed_steps);
	printf("  iterations      %.2f mean, %d max\n", summary->iterations_mean, summary->iterations_max);
	printf("  penetration     %.3g m max\n", summary->max_penetration);
	if (abut_model_joint_count(report->model) > 0) {
		const AbutRunJointErrors *joints = &summary->joint_errors;
		printf("  joint error     %.3g m, %.3g rad max; limits exceeded by %.3g (m, rad)\n",
		       joints->violation_m, joints->violation_rad, joints->limit);
	}
	printf("  energy drift    %.6g J\n", summary->energy_drift);
	printf("  step time       %.1f us median, %.1f us mean\n\n", summary->step_time_us_median,
	       summary->step_time_us_mean);
	const int n = abut_model_body_count(report->model), width = abut_name_width(report->model);
	printf("  %-*s  %12s %12s %12s   (m, at %g s)\n", width, "body", "x", "y", "z", summary->final_time);
	for (int i = 0; i < n; i++) {
		AbutBodyState body;
		if (!abut_model_body_is_static(report->model, i) &&
		    abut_state_get_body(report->model, report->state, i, &body) == ABUT_OK) {
			printf("  %-*s  %12.6g %12.6g %12.6g\n", width, abut_model_body_name(report->model, i),
			       body.position[0], body.position[1], body.position[2]);
		}
	}
}

static void print_job(const Options *options, const Job *job, const AbutRunReport *report, const char *missing_page)
{
	if (job->folder.goes_on) {
		printf("resumed after step %ld, at %g s\n\n", job->folder.point.summary.steps,
		       (double)job->folder.point.summary.steps * abut_model_timestep(job->run.model));
	}
	print_summary(report);
	print_relaxed(report);
	if (options->call.log) {
		printf("\n  iterations written to %s\n", options->call.log);
	}
	if (folder_of(options)) {
		print_folder(options, abut_scene_def(job->run.scene), missing_page);
	}
	if (job->dumps) {
		printf("\n  %ld steps saved in %s\n", abut_dumps_written(job->dumps), options->dumps);
	}
}

static int run_job(const Options *options, Job *job)
{
	AbutError error = {0};
	AbutRunSummary summary = {0};
	const AbutRunReport report = {.def = abut_scene_def(job->run.scene),
	                              .model = job->run.model,
	                              .state = job->state,
	                              .summary = &summary,
	                              .seed = seed_of(options, job),
	                              .n_warnings = job->review.n,
	                              .warnings = job->review.warnings};
	if (take_steps(options, job, &summary, &report, &error) != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_MACHINE);
	}
	const char *missing_page = NULL;
	const AbutRunPage page = page_of(options, job, summary.steps);
	const int page_status = abut_run_page_write(&page, &missing_page);
	if (options->json) {
		abut_output_write_summary(stdout, &report);
	} else if (!options->call.quiet) {
		print_job(options, job, &report, missing_page);
	}
	if (job->dumps && abut_dumps_left_out(job->dumps) > 0) {
		abut_report("%s: %d steps are saved, the most that a run may save; %ld more are not", options->dumps,
		            (int)ABUT_DUMPS_MAX, abut_dumps_left_out(job->dumps));
	}
	const int run_status = judge(options, &summary);
	return abut_finish_stdout(page_status != ABUT_EXIT_DONE ? page_status : run_status);
}

/* Checks which options go with --resume. */
static int check_resume(const Options *options)
{
	const struct {
		const char *name;
		bool given;
	} fixed[] = {{"out", options->out != NULL},
	             {"inputs", options->inputs != NULL},
	             {"save-every", options->save_every != 0},
	             {"seed", options->seed != 0},
	             {"set", !options->call.scene && options->call.changes.overrides.count > 0},
	             {"method", !options->call.scene && options->call.changes.method != NULL}};
	if (!options->call.resume) {
		const bool alone = options->save_every != 0 && !options->out;
		if (!options->call.scene || options->call.until || alone) {
			return abut_refuse(
			    !options->call.scene  ? "run: the scene is missing; `abut help run` shows the usage"
			    : options->call.until ? "run: --until needs --resume; for a new run use --set duration=T"
			                          : "run: --save-every needs --out");
		}
		return ABUT_EXIT_DONE;
	}
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
		if (fixed[i].given) {
			return abut_refuse(
			    "run: --%s cannot be changed with --resume; the run keeps the value in %s/run.json",
			    fixed[i].name, options->call.resume);
		}
	}
	return ABUT_EXIT_DONE;
}

/* Chooses the folder of --view without --out. Returns false if memory runs out. */
static bool choose_folder(Options *options)
{
	if (options->view && !folder_of(options)) {
		char *const stem = abut_text_stem(options->call.scene);
		options->default_out = stem ? abut_text_format("out/%s", stem) : NULL;
		options->out = options->default_out;
		free(stem);
		return options->out != NULL;
	}
	return true;
}

/* Checks the options that depend on each other, and whether the page can be made if --view asks for it. */
static int check_call(Options *options)
{
	int exit_status = check_resume(options);
	if (exit_status == ABUT_EXIT_DONE &&
	    !abut_run_page_check(&(AbutRunPage){.wanted = options->view, .unwanted = options->no_view})) {
		exit_status = ABUT_EXIT_USAGE;
	}
	exit_status = exit_status == ABUT_EXIT_DONE ? abut_changes_check(&options->call.changes) : exit_status;
	return exit_status == ABUT_EXIT_DONE && !choose_folder(options) ? abut_report_memory() : exit_status;
}

/* Ends a resumed run with no steps left. If the run was killed after writing its tables, its page is still missing. */
static int finish_complete(const Options *options, const Job *job)
{
	const AbutRunPage page = page_of(options, job, abut_run_steps(abut_scene_def(job->run.scene)));
	const char *missing_page = NULL;
	const int exit_status = abut_run_page_write(&page, &missing_page);
	if (exit_status != ABUT_EXIT_DONE) {
		return exit_status;
	}
	return abut_resume_print_complete(&options->call, job->state, options->json);
}

static int run_call(Options *options)
{
	if (options->dump_relaxed && !options->dumps) {
		return abut_refuse("run: --dump-relaxed needs --dump-failures");
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

static int execute(const AbutVerb *verb, int argc, char **argv)
{
	Options options = {.threads = 1};
	const AbutOption table[] = {
	    {"method", ABUT_OPTION_TEXT, &options.call.changes.method},
	    {"set", ABUT_OPTION_LIST, &options.call.changes.overrides},
	    {"out", ABUT_OPTION_TEXT, &options.out},
	    {"json", ABUT_OPTION_FLAG, &options.json},
	    {"quiet", ABUT_OPTION_FLAG, &options.call.quiet},
	    {"seed", ABUT_OPTION_INTEGER, &options.seed},
	    {"threads", ABUT_OPTION_THREADS, &options.threads},
	    {"log", ABUT_OPTION_TEXT, &options.call.log},
	    {"dump-failures", ABUT_OPTION_TEXT, &options.dumps},
	    {"dump-relaxed", ABUT_OPTION_FLAG, &options.dump_relaxed},
	    {"inputs", ABUT_OPTION_TEXT, &options.inputs},
	    {"save-every", ABUT_OPTION_INTEGER, &options.save_every},
	    {"resume", ABUT_OPTION_TEXT, &options.call.resume},
	    {"until", ABUT_OPTION_POSITIVE, &options.call.until},
	    {"view", ABUT_OPTION_FLAG, &options.view},
	    {"no-view", ABUT_OPTION_FLAG, &options.no_view},
	};
	int exit_status = ABUT_EXIT_MACHINE;
	if (abut_args_parse(verb, argc, argv, table, sizeof table / sizeof *table, &options.call.scene, &exit_status)) {
		exit_status = run_call(&options);
	}
	free(options.default_out);
	abut_changes_free(&options.call.changes);
	return exit_status;
}

const AbutVerb abut_verb_run = {
    .name = "run",
    .summary = "simulate a scene",
    .help =
        "usage: abut run SCENE [--method M] [--set PATH=VALUE]... [--out DIR [--save-every N]]\n"
        "                      [--view | --no-view] [--inputs FILE] [--log FILE] [--json] [--seed N] [--threads N]\n"
        "                      [--dump-failures DIR [--dump-relaxed]] [--quiet]\n"
        "       abut run --resume DIR [--until T] [--view | --no-view] [--log FILE] [--json] [--threads N]\n"
        "                      [--quiet]\n"
        "\n"
        "Simulates the scene for its duration and prints a summary. SCENE is a JSON file;\n"
        "/dev/stdin reads a pipe.\n"
        "\n"
        "  --method M        single-level (default), bilevel, lcp, point-ncp or convex\n"
        "  --set PATH=VALUE  overrides one value of the scene, such as timestep=0.05, solver.kappa=1e-8,\n"
        "                    bodies[1].mass=2 or bodies.cube.mass=2; may be repeated\n"
        "  --out DIR         writes summary.json, trajectory.csv, contacts.csv, steps.csv, joints.csv and\n"
        "                    sensors.csv (if the scene has joints and sensors), scene.json and the replay page\n"
        "                    replay.html (`abut help view`) into DIR, which is created if needed; run.json,\n"
        "                    inputs.csv and snapshots/ are for --resume\n"
        "  --view            writes the replay page in any case; fails before the run if the page's bundle is\n"
        "                    missing. Without --out, DIR is out/ and the name of the scene file\n"
        "  --no-view         writes no replay page\n"
        "  --save-every N    saves a snapshot for --resume every N steps (default 0: only the last state)\n"
        "  --inputs FILE     reads forces and torques from a CSV file instead of the scene, such as\n"
        "                    DIR/inputs.csv of a run. Columns: step (or time), body, force_x, force_y,\n"
        "                    force_z, torque_x, torque_y, torque_z; and joint, axis, target of motors. Steps\n"
        "                    count from 1. A row applies until the next row of the same body or motor\n"
        "  --resume DIR      continues an unfinished or finished run; the results equal those of an\n"
        "                    uninterrupted run. SCENE (with --set and --method) may be left out; otherwise it\n"
        "                    must be the run's scene\n"
        "  --until T         with --resume: the new end of the run, in s\n"
        "  --log FILE        writes the iterations of every step to FILE, as CSV\n"
        "  --threads N       solves the islands of a step on N threads (default 1; 0: one per core); the\n"
        "                    results do not depend on N\n"
        "  --dump-failures DIR\n"
        "                    saves each failed step to a file in DIR for `abut solve`; at most 100 files\n"
        "  --dump-relaxed    also saves steps that were not refined to the exact solution\n"
        "  --json            prints the summary as one JSON object instead of text\n"
        "  --seed N          seed of all random choices (this verb makes none), repeated in the summary\n"
        "  --quiet           prints only errors\n"
        "\n"
        "SIGINT, SIGTERM and SIGHUP, unless they are ignored, end the run after the current step, or\n"
        "within it if it takes long. All files are complete then, and the summary says \"interrupted\".\n"
        "\n"
        "Exit status: 0 done, 1 a step failed, 2 the call or the scene is wrong, 3 system error (memory,\n"
        "disk). An interrupted run ends with its signal: 130, 143 or 129 in a shell.\n",
    .argument = "scene",
    .min_arguments = 0,
    .max_arguments = 1,
    .run = execute};
