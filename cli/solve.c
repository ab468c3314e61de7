/* abut solve DUMP */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/solve_report.h"
#include "io/run/output.h"

enum { LOG_CAPACITY = 1 << 16 }; /* iterations: more than all tries and parts of a step take */

typedef struct Options {
	bool json, cold;
	const char *dump, *log;
	AbutTextList overrides;
} Options;

/* Everything that the verb holds; all of it may be NULL. */
typedef struct Job {
	AbutDump *dump;
	AbutModel *model;
	AbutState *before, *state;
	AbutWorkspace *workspace;
	AbutIteration *log;
	AbutOutput *output;
} Job;

static void close_job(Job *job)
{
	abut_output_destroy(job->output);
	free(job->log);
	abut_workspace_destroy(job->workspace);
	abut_state_destroy(job->state);
	abut_state_destroy(job->before);
	abut_model_destroy(job->model);
	abut_dump_destroy(job->dump);
}

/* Says when the last solution alone does not fit the scene. */
static int report_state(const Options *options, const Job *job, AbutError *error)
{
	if (!options->cold && abut_dump_restore(job->dump, job->model, job->before, true, NULL) == ABUT_OK) {
		const size_t n = strlen(error->message);
		snprintf(error->message + n, sizeof error->message - n, "; --cold does without it");
	}
	return abut_report_error(error, ABUT_EXIT_USAGE);
}

/* The dump and its model first and the log last: a call that is wrong writes nothing. */
static int open_job(const Options *options, Job *job)
{
	AbutError error = {0};
	if (abut_dump_load(options->dump, options->overrides.count, options->overrides.items, &job->dump, &error) !=
	    ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_USAGE);
	}
	const AbutScene *scene = abut_dump_scene(job->dump);
	if (abut_model_create(abut_scene_def(scene), &job->model, &error) != ABUT_OK) {
		abut_scene_locate(scene, &error);
		return abut_report_error(&error, ABUT_EXIT_USAGE);
	}
	job->log = malloc(LOG_CAPACITY * sizeof *job->log);
	if (!job->log) {
		abut_report("out of memory");
		return ABUT_EXIT_MACHINE;
	}
	if (abut_state_create(job->model, &job->before, &error) != ABUT_OK ||
	    abut_state_create(job->model, &job->state, &error) != ABUT_OK ||
	    abut_workspace_create(job->model, &job->workspace, &error) != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_MACHINE);
	}
	if (abut_dump_restore(job->dump, job->model, job->before, options->cold, &error) != ABUT_OK) {
		return report_state(options, job, &error);
	}
	if (options->log && abut_output_open(NULL, options->log, &job->output, &error) != ABUT_OK) {
		return abut_report_error(&error, abut_exit_status(&error));
	}
	return ABUT_EXIT_DONE;
}

static AbutStatus write_log(const Job *job, const AbutStepInfo *info, AbutError *error)
{
	const long step = abut_dump_step(job->dump);
	const AbutRunView view = {job->model, job->state, job->workspace, info, step, step, NULL};
	const AbutStatus status = abut_output_observe(job->output, &view, error);
	return status == ABUT_OK ? abut_output_commit(job->output, NULL, error) : status;
}

static int solve_job(const Options *options, Job *job)
{
	AbutError error = {0};
	AbutStepInfo info = {.log = {job->log, LOG_CAPACITY, 0}};
	if (abut_state_copy(job->model, job->before, job->state) != ABUT_OK ||
	    abut_step(job->model, job->state, job->workspace, &info) != ABUT_OK) {
		abut_report("out of memory");
		return ABUT_EXIT_MACHINE;
	}
	if (job->output && write_log(job, &info, &error) != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_MACHINE);
	}
	const AbutSolveReport report = {.dump = job->dump,
	                                .model = job->model,
	                                .workspace = job->workspace,
	                                .varied = options->cold || options->overrides.count > 0,
	                                .result = abut_dump_result_make(job->model, job->before, &info),
	                                .log = &info.log};
	if (options->json) {
		abut_print_solve_json(&report);
	} else {
		abut_print_solve(&report);
	}
	const bool solved = info.outcome == ABUT_OUTCOME_EXACT || info.outcome == ABUT_OUTCOME_RELAXED;
	return abut_finish_stdout(solved ? ABUT_EXIT_DONE : ABUT_EXIT_CHECK);
}

int abut_verb_solve(int argc, char **argv)
{
	Options options = {.overrides = {0, calloc((size_t)argc + 1, sizeof *options.overrides.items)}};
	const AbutOption table[] = {
	    {"set", ABUT_OPTION_LIST, &options.overrides},
	    {"cold", ABUT_OPTION_FLAG, &options.cold},
	    {"json", ABUT_OPTION_FLAG, &options.json},
	    {"log", ABUT_OPTION_TEXT, &options.log},
	};
	int exit_status = ABUT_EXIT_MACHINE;
	if (!options.overrides.items) {
		abut_report("out of memory");
		return exit_status;
	}
	if (abut_args_parse("solve", argc, argv, table, sizeof table / sizeof *table, 1, 1, &options.dump,
	                    &exit_status)) {
		Job job = {0};
		exit_status = open_job(&options, &job);
		if (exit_status == ABUT_EXIT_DONE) {
			exit_status = solve_job(&options, &job);
		}
		close_job(&job);
	}
	free(options.overrides.items);
	return exit_status;
}
