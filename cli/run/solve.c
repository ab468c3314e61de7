/* Runs the verb `solve`, which solves one step of a run again. Tested in tests/cli/run/solve.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/version.h"
#include "base/vec3.h"
#include "cli/common/args.h"
#include "cli/common/print.h"
#include "cli/common/report.h"
#include "io/dump/read.h"
#include "io/dump/result.h"
#include "io/run/output.h"

enum { LOG_CAPACITY = 1 << 16 }; /* iterations: more than all tries and parts of a step take */

typedef struct Options {
	bool json, cold;
	const char *dump, *log;
	AbutTextList overrides;
} Options;

/* All resources of the verb; each may be NULL. */
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

/* Reports a state that does not fit the scene; suggests --cold if only the last solution does not fit. */
static int report_state(const Options *options, const Job *job, AbutError *error)
{
	if (!options->cold && abut_dump_restore(job->dump, job->model, job->before, true, NULL) == ABUT_OK) {
		const size_t n = strlen(error->message);
		snprintf(error->message + n, sizeof error->message - n, "; --cold does not use it");
	}
	return abut_report_error(error, ABUT_EXIT_USAGE);
}

/* Opens the dump first and the log last, so that a wrong call writes nothing. */
static int open_job(const Options *options, Job *job)
{
	AbutError error = {0};
	if (abut_dump_load(options->dump, options->overrides.count, options->overrides.items, &job->dump, &error) !=
	    ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_USAGE);
	}
	const AbutScene *scene = job->dump->scene;
	if (abut_model_create(abut_scene_def(scene), &job->model, &error) != ABUT_OK) {
		abut_scene_locate(scene, &error);
		return abut_report_error(&error, ABUT_EXIT_USAGE);
	}
	job->log = malloc(LOG_CAPACITY * sizeof *job->log);
	if (!job->log) {
		return abut_report_memory();
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

/* The data printed about the step. */
typedef struct Report {
	const AbutDump *dump;
	const AbutModel *model;
	const AbutWorkspace *workspace; /* with the contacts of the step */
	bool varied;                    /* overrides or --cold were given */
	AbutDumpResult result;
	const AbutIterationLog *log;
} Report;

/* --- text --- */

static void print_dump(const Report *report)
{
	const AbutDumpResult *was = &report->dump->result;
	const char *verdict = abut_dump_result_same(was, &report->result) ? "the same"
	                      : report->varied                            ? "overrides were given"
	                                                                  : "NOT the same: another program or machine";
	printf("  in the dump      %s after %d iterations, residual %.3g: %s\n", abut_outcome_name(was->info.outcome),
	       was->info.iterations, was->info.residual, verdict);
}

/* Prints the number of iterations in each stage, summed over the islands. (`iterations` of a step is the number of the
 * island that needed most.) */
static void print_stages(const AbutIterationLog *log)
{
	int finish = 0;
	for (int i = 0; i < log->count; i++) {
		finish += log->entries[i].phase == 1;
	}
	printf("  in all islands   %d in the interior point, %d in the finish\n", log->count - finish, finish);
}

static void print_iterations(const AbutIterationLog *log)
{
	if (log->count == 0) {
		return;
	}
	printf("\n  %9s  %-14s %10s %10s %16s %12s\n", "iteration", "stage", "kappa", "residual", "complementarity",
	       "step length");
	for (int i = 0; i < log->count; i++) {
		const AbutIteration *entry = &log->entries[i];
		printf("  %9d  %-14s %10.2e %10.2e %16.2e %12.4f\n", i + 1,
		       entry->phase == 0 ? "interior point" : "finish", entry->kappa, entry->residual,
		       entry->complementarity, entry->step_length);
	}
}

static void print_contacts(const Report *report)
{
	AbutContact contact;
	const int width = abut_name_width(report->model);
	for (int i = 0; abut_contact_get(report->model, report->workspace, i, &contact) == ABUT_OK; i++) {
		if (i == 0) {
			printf("\n  %-*s  %-*s %10s %11s %14s %16s\n", width, "a", width, "b", "scaling", "gap (m)",
			       "normal (N s)", "friction (N s)");
		}
		printf("  %-*s  %-*s %10.6f %11.3e %14.6g %16.6g\n", width,
		       abut_model_body_name(report->model, contact.body_a), width,
		       abut_model_body_name(report->model, contact.body_b), contact.scaling, contact.gap,
		       contact.normal_impulse, abut_norm3(contact.friction_impulse));
	}
}

static void print_text(const Report *report)
{
	const AbutStepInfo *info = &report->result.info;
	printf("%s: step %d, beginning at %g s\n", report->dump->name, report->dump->step, report->dump->time);
	printf("  outcome          %s: %s\n", abut_outcome_name(info->outcome), report->result.explanation);
	print_dump(report);
	printf("  tries            %d%s\n", info->tries, info->retried ? ", also from other starts" : "");
	printf("  iterations       %d\n", info->iterations);
	print_stages(report->log);
	printf("  half steps       %d levels\n", info->halvings);
	printf("  kappa            %.3g\n", info->kappa);
	printf("  residual         %.3g\n", info->residual);
	printf("  complementarity  %.3g\n", info->complementarity);
	printf("  penetration      %.3g m max\n", info->max_penetration);
	print_iterations(report->log);
	print_contacts(report);
}

/* --- JSON --- */

static void print_json_log(const AbutIterationLog *log)
{
	for (int i = 0; i < log->count; i++) {
		const AbutIteration *entry = &log->entries[i];
		printf("%s\n  {\"phase\": %d", i > 0 ? "," : "", entry->phase);
		abut_print_number("kappa", entry->kappa);
		abut_print_number("residual", entry->residual);
		abut_print_number("complementarity", entry->complementarity);
		abut_print_number("step_length", entry->step_length);
		putchar('}');
	}
}

static void print_json_contacts(const Report *report)
{
	AbutContact contact;
	for (int i = 0; abut_contact_get(report->model, report->workspace, i, &contact) == ABUT_OK; i++) {
		printf("%s\n  ", i > 0 ? "," : "");
		abut_print_first("body_a", abut_model_body_name(report->model, contact.body_a));
		abut_print_text("body_b", abut_model_body_name(report->model, contact.body_b));
		printf(", \"part_a\": %d, \"part_b\": %d", contact.part_a, contact.part_b);
		abut_print_number("scaling", contact.scaling);
		abut_print_number("gap", contact.gap);
		abut_print_vector("point", contact.point);
		abut_print_vector("normal", contact.normal);
		abut_print_number("normal_impulse", contact.normal_impulse);
		abut_print_vector("friction_impulse", contact.friction_impulse);
		abut_print_number("torsional_impulse", contact.torsional_impulse);
		putchar('}');
	}
}

static void print_json(const Report *report)
{
	const AbutDumpResult *was = &report->dump->result;
	abut_print_first("name", report->dump->name);
	printf(", \"version\": \"%s\", \"seed\": %llu, \"step\": %d", abut_version(), report->dump->seed,
	       report->dump->step);
	abut_print_number("time", report->dump->time);
	printf(",\n\"result\": ");
	abut_dump_result_write(stdout, &report->result);
	printf(",\n\"dump\": ");
	abut_print_first("version", report->dump->version);
	printf(", \"result\": ");
	abut_dump_result_write(stdout, was);
	printf("},\n\"same\": %s, \"log\": [", abut_dump_result_same(was, &report->result) ? "true" : "false");
	print_json_log(report->log);
	printf("\n], \"contacts\": [");
	print_json_contacts(report);
	printf("\n]}\n");
}

/* --- the step --- */

static AbutStatus write_log(const Job *job, const AbutStepInfo *info, AbutError *error)
{
	const long step = job->dump->step;
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
		return abut_report_memory();
	}
	if (job->output && write_log(job, &info, &error) != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_MACHINE);
	}
	const Report report = {.dump = job->dump,
	                       .model = job->model,
	                       .workspace = job->workspace,
	                       .varied = options->cold || options->overrides.count > 0,
	                       .result = abut_dump_result_make(job->model, job->before, &info),
	                       .log = &info.log};
	if (options->json) {
		print_json(&report);
	} else {
		print_text(&report);
	}
	const bool solved = info.outcome == ABUT_OUTCOME_EXACT || info.outcome == ABUT_OUTCOME_RELAXED;
	return abut_finish_stdout(solved ? ABUT_EXIT_DONE : ABUT_EXIT_CHECK);
}

static int execute(const AbutVerb *verb, int argc, char **argv)
{
	Options options = {.json = false};
	const AbutOption table[] = {
	    {"set", ABUT_OPTION_LIST, &options.overrides},
	    {"cold", ABUT_OPTION_FLAG, &options.cold},
	    {"json", ABUT_OPTION_FLAG, &options.json},
	    {"log", ABUT_OPTION_TEXT, &options.log},
	};
	int exit_status = ABUT_EXIT_MACHINE;
	if (abut_args_parse(verb, argc, argv, table, sizeof table / sizeof *table, &options.dump, &exit_status)) {
		Job job = {0};
		exit_status = open_job(&options, &job);
		exit_status = exit_status == ABUT_EXIT_DONE ? solve_job(&options, &job) : exit_status;
		close_job(&job);
	}
	free(options.overrides.items);
	return exit_status;
}

const AbutVerb abut_verb_solve = {
    .name = "solve",
    .summary = "re-solve a step saved by --dump-failures",
    .help = "usage: abut solve DUMP [--set PATH=VALUE]... [--cold] [--json] [--log FILE]\n"
            "\n"
            "Solves one step again, from the file that `abut run --dump-failures` saved. Prints the outcome, the\n"
            "number of tries, every iteration and the contacts. Without overrides the outcome equals that of the\n"
            "run, bit for bit, if program and machine are the same.\n"
            "\n"
            "  --set PATH=VALUE  overrides one value of the scene, such as solver.kappa=1e-8,\n"
            "                    solver.linear_solver=dense or solver.warm_start=false; may be repeated. Motion\n"
            "                    and inputs are always those of the file\n"
            "  --cold            uses only the motion in the file, not the last solution. Required if an override\n"
            "                    changes masses, shapes, contacts or the friction cone\n"
            "  --json            prints one JSON object instead of text\n"
            "  --log FILE        writes the iterations to FILE, as CSV\n"
            "\n"
            "Exit status: 0 solved, 1 not solved, 2 the call or the file is wrong, 3 system error (memory, disk).\n",
    .argument = "dump",
    .min_arguments = 1,
    .max_arguments = 1,
    .run = execute};
