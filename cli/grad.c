/* abut grad SCENE */
#include <stdio.h>
#include <stdlib.h>

#include "cli/changes.h"
#include "cli/cli.h"
#include "cli/grad_report.h"
#include "dynamics/model/model.h"
#include "io/run/run.h"

/* Of --check, relative to a block's scale: exact steps are solved to 1e-11, points of the path to rounding. */
static const double exact_tolerance = 1e-4, path_tolerance = 1e-6;

enum { WHY_SIZE = 384 };

typedef struct Options {
	bool json, check;
	const char *scene, *kappa_text, *tolerance_text;
	double kappa, tolerance; /* negative: not given */
	unsigned long long step, seed;
	AbutSceneChanges changes;
	AbutTextList wrt;
} Options;

/* Everything that the verb holds; all of it may be NULL. */
typedef struct Job {
	AbutScene *scene;
	AbutModel *model;
	AbutState *before, *state; /* before and after the step */
	AbutWorkspace *workspace;
	AbutGradient *gradient; /* NULL: method lcp */
	AbutGradBlocks blocks;
	AbutBodyState *path; /* (n_moving) */
	AbutStepInfo info;
	double kappa;
} Job;

static void close_job(Job *job)
{
	free(job->path);
	abut_grad_blocks_free(&job->blocks);
	abut_gradient_destroy(job->gradient);
	abut_workspace_destroy(job->workspace);
	abut_state_destroy(job->state);
	abut_state_destroy(job->before);
	abut_model_destroy(job->model);
	abut_scene_destroy(job->scene);
}

/* --- what is asked for --- */

static bool check_method(const Options *options, const Job *job)
{
	const AbutMethod method = job->model->options.method;
	if (method == ABUT_METHOD_BILEVEL) {
		abut_report("grad: %s: steps of method %s are not differentiated; those of single-level, lcp, "
		            "point-ncp and convex are",
		            options->scene, abut_method_name(method));
		return false;
	}
	if ((method == ABUT_METHOD_LCP || method == ABUT_METHOD_CONVEX) && job->kappa > 0.0) {
		abut_report("grad: %s: %s is %g; method %s has no path, take 0", options->scene,
		            options->kappa >= 0.0 ? "--kappa-gradient" : "the scene's solver.kappa_gradient",
		            job->kappa, abut_method_name(method));
		return false;
	}
	if (job->model->n_moving == 0) {
		abut_report("grad: %s: no body moves, so that there is nothing to differentiate", options->scene);
		return false;
	}
	return true;
}

static int open_gradient(Job *job, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	if (job->model->options.method != ABUT_METHOD_LCP) {
		status = abut_gradient_create(job->model, job->kappa, &job->gradient, error);
	}
	if (status == ABUT_OK && job->gradient) {
		job->kappa = abut_gradient_kappa(job->gradient); /* method point-ncp has none of 0 */
	}
	if (status == ABUT_OK && job->gradient && job->blocks.n_parameters > 0) {
		status = abut_gradient_select(job->gradient, job->blocks.n_parameters, job->blocks.parameters, error);
	}
	if (status != ABUT_OK) {
		abut_scene_locate(job->scene, error);
		return abut_report_error(error, ABUT_EXIT_USAGE);
	}
	return ABUT_EXIT_DONE;
}

static int open_job(const Options *options, Job *job)
{
	AbutError error = {0};
	AbutGradChoice choice;
	const int exit_status = abut_changes_open(&options->changes, options->scene, &job->scene, &job->model);
	if (exit_status != ABUT_EXIT_DONE) {
		return exit_status;
	}
	job->kappa = options->kappa >= 0.0 ? options->kappa : job->model->options.kappa_gradient;
	if (!check_method(options, job) || !abut_grad_choose(&options->wrt, job->model->options.method, &choice)) {
		return ABUT_EXIT_USAGE;
	}
	abut_report_warnings(job->scene); /* a refusal stands alone */
	const long steps = abut_run_steps(abut_scene_def(job->scene));
	if (options->step >= (unsigned long long)steps) {
		abut_report("%s: warning: step %llu is beyond the scene's duration of %ld steps", options->scene,
		            options->step, steps);
	}
	if (abut_grad_blocks_create(job->model, &choice, &job->blocks, &error) != ABUT_OK ||
	    abut_state_create(job->model, &job->before, &error) != ABUT_OK ||
	    abut_state_create(job->model, &job->state, &error) != ABUT_OK ||
	    abut_workspace_create(job->model, &job->workspace, &error) != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_MACHINE);
	}
	return open_gradient(job, &error);
}

/* --- the step --- */

static int take_step(const Options *options, Job *job, AbutGradient *gradient, unsigned long long step)
{
	if (abut_state_copy(job->model, job->state, job->before) != ABUT_OK ||
	    (gradient ? abut_step_differentiate(job->model, job->state, job->workspace, gradient, &job->info)
	              : abut_step(job->model, job->state, job->workspace, &job->info)) != ABUT_OK) {
		abut_report("out of memory");
		return ABUT_EXIT_MACHINE;
	}
	if (job->info.outcome >= ABUT_OUTCOME_RAISED_KAPPA) {
		char why[WHY_SIZE];
		abut_step_explain(job->model, job->before, &job->info, why, sizeof why);
		abut_report("%s: step %llu, from %g s on, was not solved: %s", options->scene, step,
		            abut_state_time(job->before), why);
		return ABUT_EXIT_CHECK;
	}
	return ABUT_EXIT_DONE;
}

static int take_steps(const Options *options, Job *job)
{
	int exit_status = ABUT_EXIT_DONE;
	for (unsigned long long k = 0; exit_status == ABUT_EXIT_DONE && k < options->step; k++) {
		exit_status = take_step(options, job, NULL, k);
	}
	return exit_status == ABUT_EXIT_DONE ? take_step(options, job, job->gradient, options->step) : exit_status;
}

/* --- its derivative --- */

/* Why a derivative is not there, by state and input and by parameters. */
typedef struct Reasons {
	AbutError of_matrix, of_parameters;
} Reasons;

/* Of the path, or a solution of the single-level one: its matrix, its parameters' columns, and the point of the path.
 * What there is none of is NaN, for the `reasons` that are given. */
static AbutStatus read_gradient(Job *job, double *matrix, Reasons *reasons)
{
	AbutStatus status = abut_gradient_matrix(job->gradient, matrix, &reasons->of_matrix);
	for (int i = 0; i < job->blocks.count; i++) {
		const AbutGradBlock *block = &job->blocks.blocks[i];
		if (block->kind == ABUT_GRAD_STATE) {
			abut_grad_block_take(block, matrix, ABUT_GRADIENT_COLUMNS, 0, ABUT_GRADIENT_ROWS);
		} else if (block->kind == ABUT_GRAD_INPUT) {
			abut_grad_block_take(block, matrix, ABUT_GRADIENT_COLUMNS, ABUT_GRADIENT_FORCE,
			                     ABUT_GRADIENT_COLUMNS - ABUT_GRADIENT_FORCE);
		}
	}
	if (status != ABUT_ERROR_MEMORY && job->blocks.n_parameters > 0) {
		const AbutStatus other = abut_gradient_parameters(job->gradient, matrix, &reasons->of_parameters);
		abut_grad_blocks_take_parameters(&job->blocks, matrix);
		status = status == ABUT_OK || other == ABUT_ERROR_MEMORY ? other : status;
	}
	for (int i = 0; job->path && i < job->model->n_moving && status != ABUT_ERROR_MEMORY; i++) {
		const int body = job->model->moving_body[i];
		const AbutStatus other = abut_gradient_next(job->gradient, body, &job->path[i], &reasons->of_matrix);
		status = status == ABUT_OK ? other : status;
	}
	return status;
}

static AbutStatus read_lcp(Job *job, double *matrix, AbutError *error)
{
	const AbutStatus status = abut_lcp_gradient(job->model, job->workspace, matrix, error);
	for (int i = 0; status == ABUT_OK && i < job->blocks.count; i++) {
		const AbutGradBlock *block = &job->blocks.blocks[i];
		const int first = block->kind == ABUT_GRAD_STATE   ? ABUT_LCP_POSITION
		                  : block->kind == ABUT_GRAD_INPUT ? ABUT_LCP_FORCE
		                                                   : ABUT_LCP_MASS;
		abut_grad_block_take(block, matrix, ABUT_LCP_COLUMNS, first, block->cols / job->model->n_moving);
	}
	return status;
}

/* Either matrix, or the parameters' columns. */
static size_t largest_matrix(const Job *job)
{
	const size_t n = (size_t)job->model->n_moving, own = ABUT_LCP_COLUMNS * n,
	             parameters = (size_t)job->blocks.n_parameters;
	return ABUT_GRADIENT_ROWS * n * (own > parameters ? own : parameters);
}

/* Whether all of the block is there; with method lcp, and on the path, it is all or nothing. */
static bool is_there(const Job *job, int index)
{
	const AbutGradBlock *block = &job->blocks.blocks[index];
	double sum = 0.0;
	for (size_t i = 0; i < (size_t)block->rows * (size_t)block->cols; i++) {
		sum += 0.0 * block->data[i];
	}
	return job->gradient && sum == 0.0;
}

/* The blocks that are there, or those that are not, as a list. */
static void list_blocks(const Job *job, bool there, char *out, size_t size)
{
	size_t used = 0;
	out[0] = '\0';
	for (int i = 0; i < job->blocks.count && used < size; i++) {
		if (is_there(job, i) == there) {
			used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? "," : "",
			                         job->blocks.blocks[i].name);
		}
	}
}

/* Keeps the blocks that are there. */
static void leave_out_missing(Job *job)
{
	AbutGradBlocks *blocks = &job->blocks;
	int kept = 0;
	for (int i = 0; i < blocks->count; i++) {
		if (is_there(job, i)) {
			blocks->blocks[kept++] = blocks->blocks[i];
		} else {
			blocks->missing[blocks->n_missing++] = blocks->blocks[i].name;
		}
	}
	blocks->count = kept;
}

/* Blocks are not there: of those that were asked for by name all are refused, of all others what there is goes on. */
static int report_missing(const Options *options, Job *job, AbutStatus status, const Reasons *reasons)
{
	char missing[WHY_SIZE], there[WHY_SIZE];
	int first = 0;
	if (status == ABUT_ERROR_MEMORY) {
		abut_report("out of memory");
		return ABUT_EXIT_MACHINE;
	}
	while (first < job->blocks.count && is_there(job, first)) {
		first++;
	}
	if (first == job->blocks.count) {
		return ABUT_EXIT_DONE;
	}
	const bool by_parameters = job->gradient && job->blocks.blocks[first].parameters;
	const AbutError *why = by_parameters ? &reasons->of_parameters : &reasons->of_matrix;
	list_blocks(job, false, missing, sizeof missing);
	list_blocks(job, true, there, sizeof there);
	const bool named = options->wrt.count > 0;
	abut_report("%s: step %llu has no derivative by %s: %s%s%s%s%s%s", options->scene, options->step, missing,
	            why->where, why->where[0] ? " " : "", why->message, named && there[0] ? "; --wrt " : "",
	            named ? there : "", named && there[0] ? " has one" : "");
	if (!named) {
		leave_out_missing(job);
	}
	return ABUT_EXIT_CHECK;
}

static int read_derivative(const Options *options, Job *job)
{
	Reasons reasons = {.of_matrix = {.message = ""}};
	double *matrix = malloc(largest_matrix(job) * sizeof *matrix);
	if (job->kappa > 0.0) {
		job->path = calloc((size_t)job->model->n_moving, sizeof *job->path);
	}
	if (!matrix || (job->kappa > 0.0 && !job->path)) {
		free(matrix);
		abut_report("out of memory");
		return ABUT_EXIT_MACHINE;
	}
	const AbutStatus status =
	    job->gradient ? read_gradient(job, matrix, &reasons) : read_lcp(job, matrix, &reasons.of_matrix);
	free(matrix);
	return status == ABUT_OK ? ABUT_EXIT_DONE : report_missing(options, job, status, &reasons);
}

static int print_job(const Options *options, Job *job)
{
	AbutError error = {0};
	AbutGradCheck check;
	const double usual = job->kappa > 0.0 ? path_tolerance : exact_tolerance;
	if (options->check) {
		const double tolerance = options->tolerance > 0.0 ? options->tolerance : usual;
		if (abut_grad_check(job->model, job->before, &job->info, job->kappa, &job->blocks, tolerance, &check,
		                    &error) != ABUT_OK) {
			return abut_report_error(&error, ABUT_EXIT_CHECK);
		}
	}
	const AbutGradReport report = {.def = abut_scene_def(job->scene),
	                               .model = job->model,
	                               .seed = options->seed,
	                               .step = (long)options->step,
	                               .kappa = job->kappa,
	                               .info = &job->info,
	                               .after = job->state,
	                               .path = job->path,
	                               .blocks = &job->blocks,
	                               .check = options->check ? &check : NULL};
	if (options->json) {
		abut_print_grad_json(&report);
	} else {
		abut_print_grad(&report);
	}
	const bool failed =
	    job->blocks.n_missing > 0 || (options->check && !abut_grad_check_passed(&check, job->blocks.count));
	return abut_finish_stdout(failed ? ABUT_EXIT_CHECK : ABUT_EXIT_DONE);
}

/* --- the call --- */

static bool read_options(Options *options)
{
	if (!abut_args_number("grad", "kappa-gradient", options->kappa_text, &options->kappa) ||
	    !abut_args_number("grad", "tolerance", options->tolerance_text, &options->tolerance)) {
		return false;
	}
	if (options->kappa_text && options->kappa != 0.0 && !(options->kappa >= 1e-12 && options->kappa <= 1.0)) {
		abut_report("grad: --kappa-gradient is %g; it must be 0, at the exact solution, or lie in [1e-12, 1]",
		            options->kappa);
		return false;
	}
	if (options->tolerance_text && !(options->tolerance > 0.0)) {
		abut_report("grad: --tolerance is %g; it must be greater than 0", options->tolerance);
		return false;
	}
	if (options->tolerance_text && !options->check) {
		abut_report("grad: --tolerance goes with --check");
		return false;
	}
	return true;
}

static int run_verb(Options *options)
{
	Job job = {0};
	if (!read_options(options)) {
		return ABUT_EXIT_USAGE;
	}
	int exit_status = abut_changes_check(&options->changes);
	if (exit_status == ABUT_EXIT_DONE) {
		exit_status = open_job(options, &job);
	}
	if (exit_status == ABUT_EXIT_DONE) {
		exit_status = take_steps(options, &job);
	}
	if (exit_status == ABUT_EXIT_DONE) {
		exit_status = read_derivative(options, &job);
	}
	if (exit_status == ABUT_EXIT_DONE || (job.blocks.n_missing > 0 && job.blocks.count > 0)) {
		exit_status = print_job(options, &job);
	}
	close_job(&job);
	return exit_status;
}

int abut_verb_grad(int argc, char **argv)
{
	Options options = {.kappa = -1.0, .wrt = {0, calloc((size_t)argc + 1, sizeof *options.wrt.items)}};
	const AbutOption table[] = {
	    {"method", ABUT_OPTION_TEXT, &options.changes.method},
	    {"set", ABUT_OPTION_LIST, &options.changes.overrides},
	    {"step", ABUT_OPTION_STEP, &options.step},
	    {"wrt", ABUT_OPTION_LIST, &options.wrt},
	    {"kappa-gradient", ABUT_OPTION_TEXT, &options.kappa_text},
	    {"check", ABUT_OPTION_FLAG, &options.check},
	    {"tolerance", ABUT_OPTION_TEXT, &options.tolerance_text},
	    {"json", ABUT_OPTION_FLAG, &options.json},
	    {"seed", ABUT_OPTION_NUMBER, &options.seed},
	};
	int exit_status = ABUT_EXIT_MACHINE;
	if (!options.wrt.items) {
		abut_report("out of memory");
	} else if (abut_changes_create(argc, &options.changes) &&
	           abut_args_parse("grad", argc, argv, table, sizeof table / sizeof *table, 1, 1, &options.scene,
	                           &exit_status)) {
		exit_status = run_verb(&options);
	}
	free(options.wrt.items);
	abut_changes_free(&options.changes);
	return exit_status;
}
