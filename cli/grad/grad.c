/* Runs the verb `grad`, which differentiates a step. Tested in tests/cli/grad/grad.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/common/args.h"
#include "cli/common/open.h"
#include "cli/common/report.h"
#include "cli/grad/report.h"
#include "dynamics/gradient/method.h"
#include "dynamics/model/model.h"
#include "io/run/run.h"
#include "io/text/words.h"

/* Defaults of --tolerance, relative to the scale of a block: exact steps are solved to 1e-11, points of the path to
 * rounding. */
static const double exact_tolerance = 1e-4, path_tolerance = 1e-6;

enum { WHY_SIZE = 384 };

typedef struct Options {
	bool json, check;
	const char *scene, *coordinates; /* NULL: not given */
	bool joint;                      /* --coordinates joint */
	double kappa;                    /* NAN: not given */
	double tolerance;                /* 0: not given */
	unsigned long long step, seed;
	AbutSceneChanges changes;
	AbutTextList wrt;
} Options;

/* All resources of the verb; each may be NULL. */
typedef struct Job {
	AbutScene *scene;
	AbutModel *model;
	AbutState *before, *state; /* before and after the step */
	AbutWorkspace *workspace;
	AbutGradient
	    *gradient;      /* NULL: the derivative is the method's own (AbutMethodRow.last_gradient), without joints */
	AbutLinear *linear; /* NULL: in coordinates of the bodies */
	AbutState *again;   /* for the step of `linear`; NULL without it */
	AbutGradBlocks blocks;
	AbutBodyState *path; /* (n_moving) */
	AbutStepInfo info;
	double kappa;
} Job;

static void close_job(Job *job)
{
	free(job->path);
	abut_grad_blocks_free(&job->blocks);
	abut_linear_destroy(job->linear);
	abut_state_destroy(job->again);
	abut_gradient_destroy(job->gradient);
	abut_workspace_destroy(job->workspace);
	abut_state_destroy(job->state);
	abut_state_destroy(job->before);
	abut_model_destroy(job->model);
	abut_scene_destroy(job->scene);
}

/* --- the request --- */

static bool check_method(const Options *options, const Job *job)
{
	const AbutMethodRow *method = job->model->method;
	const char *name = abut_method_name(job->model->options.method);
	if (!method->gradient && !method->last_gradient) {
		return abut_deny("grad: %s: method %s has no derivatives; use single-level, lcp, point-ncp or convex",
		                 options->scene, name);
	}
	if (job->kappa > 0.0 && !(method->gradient && method->gradient->has_path)) {
		return abut_deny("grad: %s: %s is %g; method %s has no central path, so it must be 0", options->scene,
		                 isnan(options->kappa) ? "the scene's solver.kappa_gradient" : "--kappa-gradient",
		                 job->kappa, name);
	}
	if (job->model->n_moving == 0) {
		return abut_deny("grad: %s: no body moves, so there is nothing to differentiate", options->scene);
	}
	return true;
}

static int open_gradient(Job *job, AbutError *error)
{
	const bool of_last = job->model->method->last_gradient && job->model->joints.n == 0 && !job->linear;
	AbutStatus status = ABUT_OK;
	if (job->model->method->gradient && !of_last) {
		status = abut_gradient_create(job->model, job->kappa, &job->gradient, error);
	}
	if (status == ABUT_OK && job->gradient) {
		job->kappa = abut_gradient_kappa(job->gradient); /* method point-ncp replaces 0 */
	}
	if (status == ABUT_OK && job->gradient && job->blocks.n_parameters > 0) {
		status = abut_gradient_select(job->gradient, job->blocks.n_parameters, job->blocks.parameters, error);
	}
	if (status == ABUT_OK && job->linear) {
		status = abut_linear_select(job->linear, job->blocks.n_parameters, job->blocks.parameters, error);
	}
	if (status != ABUT_OK) {
		abut_scene_locate(job->scene, error);
		return abut_report_error(error, ABUT_EXIT_USAGE);
	}
	return ABUT_EXIT_DONE;
}

/* Without --wrt: lists the blocks that are left out because no step with joints has them, and notes them on stderr. */
static void note_barred(const Options *options, Job *job)
{
	char names[WHY_SIZE];
	AbutGradBlocks *blocks = &job->blocks;
	abut_grad_list_barred(job->model, blocks);
	if (blocks->n_barred > 0) {
		abut_text_join(blocks->missing, blocks->n_barred, names, sizeof names);
		abut_report("%s: steps with joints have no derivative by %s; left out", options->scene, names);
	}
}

static int open_job(const Options *options, Job *job)
{
	AbutError error = {0};
	bool wanted[ABUT_GRAD_KINDS];
	const int exit_status = abut_changes_open(&options->changes, options->scene, &job->scene, &job->model);
	if (exit_status != ABUT_EXIT_DONE) {
		return exit_status;
	}
	job->kappa = isnan(options->kappa) ? job->model->options.kappa_gradient : options->kappa;
	if (!check_method(options, job) || !abut_grad_choose(&options->wrt, job->model, options->joint, wanted)) {
		return ABUT_EXIT_USAGE;
	}
	abut_report_warnings(job->scene); /* a refused call has only its error */
	const long steps = abut_run_steps(abut_scene_def(job->scene));
	if (options->step >= (unsigned long long)steps) {
		abut_report("%s: warning: step %llu is beyond the scene's duration of %ld steps", options->scene,
		            options->step, steps);
	}
	if (options->joint && (abut_linear_create(job->model, job->kappa, &job->linear, &error) != ABUT_OK ||
	                       abut_state_create(job->model, &job->again, &error) != ABUT_OK)) {
		abut_scene_locate(job->scene, &error);
		return abut_report_error(&error, ABUT_EXIT_USAGE);
	}
	if (abut_grad_blocks_create(job->model, job->linear, wanted, &job->blocks, &error) != ABUT_OK ||
	    abut_state_create(job->model, &job->before, &error) != ABUT_OK ||
	    abut_state_create(job->model, &job->state, &error) != ABUT_OK ||
	    abut_workspace_create(job->model, &job->workspace, &error) != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_MACHINE);
	}
	if (options->wrt.count == 0) {
		note_barred(options, job);
	}
	return open_gradient(job, &error);
}

/* --- the step --- */

static int take_step(const Options *options, Job *job, AbutGradient *gradient, unsigned long long step)
{
	if (abut_state_copy(job->model, job->state, job->before) != ABUT_OK ||
	    (gradient ? abut_step_differentiate(job->model, job->state, job->workspace, gradient, &job->info)
	              : abut_step(job->model, job->state, job->workspace, &job->info)) != ABUT_OK) {
		return abut_report_memory();
	}
	if (job->info.outcome >= ABUT_OUTCOME_RAISED_KAPPA) {
		char why[WHY_SIZE];
		abut_step_explain(job->model, job->before, &job->info, why, sizeof why);
		abut_report("%s: step %llu, beginning at %g s, was not solved: %s", options->scene, step,
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

/* The reasons why a derivative does not exist: by state and input, and by parameters. */
typedef struct Reasons {
	AbutError of_matrix, of_parameters;
} Reasons;

/* Reads the blocks in joint coordinates, from the same step taken again. */
static AbutStatus read_linear(Job *job, double *matrix, Reasons *reasons)
{
	AbutStepInfo info = {.row = 0};
	const AbutGradBlock *first = job->blocks.count > 0 ? job->blocks.blocks : NULL;
	ABUT_TRY(abut_state_copy(job->model, job->before, job->again));
	ABUT_TRY(abut_linear_step(job->linear, job->again, job->workspace, &info));
	const AbutStatus status =
	    abut_linear_matrices(job->linear, first && first->kind == ABUT_GRAD_STATE ? first->data : NULL, NULL,
	                         job->blocks.n_parameters > 0 ? matrix : NULL, &reasons->of_matrix);
	reasons->of_parameters = reasons->of_matrix;
	if (job->blocks.n_parameters > 0 && status != ABUT_ERROR_MEMORY) {
		abut_grad_blocks_take_parameters(&job->blocks, matrix);
	}
	return status;
}

/* Reads the blocks in coordinates of the bodies. */
static AbutStatus read_matrix(Job *job, double *matrix, Reasons *reasons)
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
	return status;
}

/* Reads the blocks and the state on the path from the gradient. Entries without a derivative are NaN, for `reasons`. */
static AbutStatus read_gradient(Job *job, double *matrix, Reasons *reasons)
{
	AbutStatus status = job->linear ? read_linear(job, matrix, reasons) : read_matrix(job, matrix, reasons);
	for (int i = 0; job->path && i < job->model->n_moving && status != ABUT_ERROR_MEMORY; i++) {
		const int body = job->model->moving_body[i];
		const AbutStatus other = abut_gradient_next(job->gradient, body, &job->path[i], &reasons->of_matrix);
		status = status == ABUT_OK ? other : status;
	}
	return status;
}

/* Reads the blocks of method lcp without joints. */
static AbutStatus read_last(Job *job, double *matrix, AbutError *error)
{
	const AbutStatus status = job->model->method->last_gradient(job->model, job->workspace, matrix, error);
	for (int i = 0; status == ABUT_OK && i < job->blocks.count; i++) {
		const AbutGradBlock *block = &job->blocks.blocks[i];
		const int first = block->kind == ABUT_GRAD_STATE   ? ABUT_LCP_POSITION
		                  : block->kind == ABUT_GRAD_INPUT ? ABUT_LCP_FORCE
		                                                   : ABUT_LCP_MASS;
		abut_grad_block_take(block, matrix, ABUT_LCP_COLUMNS, first, block->cols / job->model->n_moving);
	}
	return status;
}

/* Returns the size of the largest matrix that is read. */
static size_t largest_matrix(const Job *job)
{
	const size_t n = (size_t)job->model->n_moving, own = ABUT_LCP_COLUMNS * n,
	             parameters = (size_t)job->blocks.n_parameters;
	return ABUT_GRADIENT_ROWS * n * (own > parameters ? own : parameters);
}

/* Returns whether all entries of a block exist; with method lcp and no joints either all blocks do or none. */
static bool exists(const Job *job, int index)
{
	const AbutGradBlock *block = &job->blocks.blocks[index];
	double sum = 0.0;
	for (size_t i = 0; i < (size_t)block->rows * (size_t)block->cols; i++) {
		sum += 0.0 * block->data[i];
	}
	return job->gradient && sum == 0.0;
}

/* Writes the names of the blocks with columns that exist (`there`), or of those that do not, separated by commas. */
static void list_blocks(const Job *job, bool there, char *out, size_t size)
{
	size_t used = 0;
	out[0] = '\0';
	for (int i = 0; i < job->blocks.count && used < size; i++) {
		if (exists(job, i) == there && job->blocks.blocks[i].cols > 0) {
			used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? "," : "",
			                         job->blocks.blocks[i].name);
		}
	}
}

/* Moves the names of blocks without a derivative from `blocks` to `missing`. */
static void leave_out_missing(Job *job)
{
	AbutGradBlocks *blocks = &job->blocks;
	int kept = 0;
	for (int i = 0; i < blocks->count; i++) {
		if (exists(job, i)) {
			blocks->blocks[kept++] = blocks->blocks[i];
		} else {
			blocks->missing[blocks->n_missing++] = blocks->blocks[i].name;
		}
	}
	blocks->count = kept;
}

/* Returns whether the reason advises the derivative on the path, which is an option of this verb. */
static bool advises_path(const Job *job, const AbutError *why)
{
	return job->kappa == 0.0 && job->gradient && job->model->method->gradient->has_path &&
	       (strstr(why->message, "kappa") || strcmp(why->where, "kappa") == 0);
}

/* Reports on stderr the blocks that have no derivative; names them unless all are missing. Unless --wrt selected the
 * blocks, it also removes these from the job, so that the caller prints the others. Returns the exit status. */
static int report_missing(const Options *options, Job *job, AbutStatus status, const Reasons *reasons)
{
	char missing[WHY_SIZE], there[WHY_SIZE];
	int first = 0;
	if (status == ABUT_ERROR_MEMORY) {
		return abut_report_memory();
	}
	while (first < job->blocks.count && exists(job, first)) {
		first++;
	}
	if (first == job->blocks.count) {
		return ABUT_EXIT_DONE;
	}
	const bool by_parameters = job->gradient && job->blocks.blocks[first].parameters;
	const AbutError *why = by_parameters ? &reasons->of_parameters : &reasons->of_matrix;
	list_blocks(job, false, missing, sizeof missing);
	list_blocks(job, true, there, sizeof there);
	const bool named = options->wrt.count > 0, some = named || there[0], path = advises_path(job, why);
	abut_report("%s: step %llu has no derivative%s%s: %s%s%s%s%s%s%s", options->scene, options->step,
	            some ? " by " : "", some ? missing : "", why->where, why->where[0] ? " " : "", why->message,
	            path ? " (--kappa-gradient 1e-6)" : "", named && there[0] ? "; --wrt " : "", named ? there : "",
	            named && there[0] ? " has one" : "");
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
		return abut_report_memory();
	}
	const AbutStatus status =
	    job->gradient ? read_gradient(job, matrix, &reasons) : read_last(job, matrix, &reasons.of_matrix);
	free(matrix);
	return status == ABUT_OK ? ABUT_EXIT_DONE : report_missing(options, job, status, &reasons);
}

/* Names on stderr the blocks that the comparison did not decide. */
static void report_undecided(const Options *options, const Job *job, const AbutGradCheck *check)
{
	char list[WHY_SIZE] = "";
	size_t length = 0;
	for (int i = 0; i < job->blocks.count && length < sizeof list; i++) {
		if (strcmp(abut_grad_verdict_word(&check->verdicts[i]), "undecided") == 0) {
			length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", length > 0 ? ", " : "",
			                           job->blocks.blocks[i].name);
		}
	}
	if (length > 0) {
		abut_report("%s: the comparison does not decide %s; these derivatives are neither confirmed nor wrong",
		            options->scene, list);
	}
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
	const bool failed = job->blocks.n_missing > job->blocks.n_barred ||
	                    (options->check && abut_grad_check_failed(&check, job->blocks.count));
	if (options->check) {
		report_undecided(options, job, &check);
	}
	return abut_finish_stdout(failed ? ABUT_EXIT_CHECK : ABUT_EXIT_DONE);
}

/* --- the call --- */

static bool check_options(const Options *options)
{
	if (!isnan(options->kappa) && options->kappa != 0.0 && !(options->kappa >= 1e-12 && options->kappa <= 1.0)) {
		return abut_deny(
		    "grad: --kappa-gradient is %g; it must be 0 (at the exact solution) or lie in [1e-12, 1]",
		    options->kappa);
	}
	if (options->coordinates && strcmp(options->coordinates, "joint") != 0 &&
	    strcmp(options->coordinates, "maximal") != 0) {
		return abut_deny("grad: --coordinates is '%s'; it must be maximal (of the bodies) or joint",
		                 options->coordinates);
	}
	if (options->joint && options->check) {
		return abut_deny(
		    "grad: --check compares derivatives in maximal coordinates; leave out --coordinates joint");
	}
	if (options->tolerance > 0.0 && !options->check) {
		return abut_deny("grad: --tolerance needs --check");
	}
	return true;
}

static int call(Options *options)
{
	Job job = {0};
	options->joint = options->coordinates && strcmp(options->coordinates, "joint") == 0;
	if (!check_options(options)) {
		return ABUT_EXIT_USAGE;
	}
	int exit_status = abut_changes_check(&options->changes);
	exit_status = exit_status == ABUT_EXIT_DONE ? open_job(options, &job) : exit_status;
	exit_status = exit_status == ABUT_EXIT_DONE ? take_steps(options, &job) : exit_status;
	exit_status = exit_status == ABUT_EXIT_DONE ? read_derivative(options, &job) : exit_status;
	if (exit_status == ABUT_EXIT_DONE || (job.blocks.n_missing > job.blocks.n_barred && job.blocks.count > 0)) {
		exit_status = print_job(options, &job);
	}
	close_job(&job);
	return exit_status;
}

static int execute(const AbutVerb *verb, int argc, char **argv)
{
	Options options = {.kappa = (double)NAN};
	const AbutOption table[] = {
	    {"method", ABUT_OPTION_TEXT, &options.changes.method},
	    {"set", ABUT_OPTION_LIST, &options.changes.overrides},
	    {"step", ABUT_OPTION_STEP, &options.step},
	    {"wrt", ABUT_OPTION_LIST, &options.wrt},
	    {"coordinates", ABUT_OPTION_TEXT, &options.coordinates},
	    {"kappa-gradient", ABUT_OPTION_NUMBER, &options.kappa},
	    {"check", ABUT_OPTION_FLAG, &options.check},
	    {"tolerance", ABUT_OPTION_POSITIVE, &options.tolerance},
	    {"json", ABUT_OPTION_FLAG, &options.json},
	    {"seed", ABUT_OPTION_INTEGER, &options.seed},
	};
	int exit_status = ABUT_EXIT_MACHINE;
	if (abut_args_parse(verb, argc, argv, table, sizeof table / sizeof *table, &options.scene, &exit_status)) {
		exit_status = call(&options);
	}
	free(options.wrt.items);
	abut_changes_free(&options.changes);
	return exit_status;
}

const AbutVerb abut_verb_grad = {
    .name = "grad",
    .summary = "differentiate a step by state, input and parameters",
    .help = "usage: abut grad SCENE [--step K] [--wrt NAME,...] [--kappa-gradient K] [--method M]\n"
            "                       [--check [--tolerance T]] [--set PATH=VALUE]... [--json] [--seed N]\n"
            "\n"
            "Takes K steps of the scene and differentiates the next one. The derivative has 12 rows for each\n"
            "moving body, at the end of the step: position (m, centre of mass, world), rotation (rad, small\n"
            "angles about the body's axes), velocity (m/s, world) and spin (rad/s, body axes). Its columns form\n"
            "blocks: \"state\", the same 12 numbers at the start of the step; \"input\", force (N, world) and torque\n"
            "(N m, body axes); and one block for each kind of parameter. Prints one line for each block.\n"
            "\n"
            "  --step K          number of steps before the differentiated one (default 0: differentiates the\n"
            "                    first)\n"
            "  --wrt NAME,...    blocks: state, input, timestep, gravity, mass, inertia, centre_of_mass,\n"
            "                    friction, torsional_radius, size, face, part_position, part_rotation; motor (the\n"
            "                    targets), motor_stiffness, motor_damping, motor_limit, joint_reference,\n"
            "                    joint_stiffness, joint_damping, joint_friction, joint_armature, joint_lower,\n"
            "                    joint_upper (default: all that the method supports, and those of joints if there\n"
            "                    are any); may be repeated. Method lcp supports state, input, mass, joints and\n"
            "                    motors; convex state, input, gravity, mass, inertia, friction, joints and motors;\n"
            "                    point-ncp these and timestep\n"
            "  --coordinates C   maximal (default): of the bodies; joint: coordinates of the joints and their rates,\n"
            "                    with the block joint_state, and parameters such as motor\n"
            "  --kappa-gradient K\n"
            "                    differentiates on the central path at K, 1e-12 to 1, where opening, closing and\n"
            "                    slipping contacts are smoothed; 0: at the exact solution (default:\n"
            "                    solver.kappa_gradient of the scene, 0). Method point-ncp has no exact solution\n"
            "                    and takes 1e-9 instead of 0\n"
            "  --method M        single-level (default), lcp, point-ncp or convex\n"
            "  --check           compares every entry with central finite differences of steps. Prints the\n"
            "                    largest difference, and how many entries are undecided. Blocks that the\n"
            "                    comparison does not decide are named on stderr; they are no error\n"
            "  --tolerance T     with --check: the allowed difference, relative to the block's largest entry or\n"
            "                    to the effect of one unit on a body in flight, whichever is larger (default\n"
            "                    1e-4; on the path 1e-6)\n"
            "  --set PATH=VALUE  overrides one value of the scene, such as timestep=0.05; may be repeated\n"
            "  --json            prints one JSON object with all entries instead of the table\n"
            "  --seed N          seed of all random choices (this verb makes none), repeated in the object\n"
            "\n"
            "Exit status: 0 done; 1 a step failed, has no derivative, or differs by more than the tolerance; 2\n"
            "the call or the scene is wrong; 3 system error (memory, disk).\n",
    .argument = "scene",
    .min_arguments = 1,
    .max_arguments = 1,
    .run = execute};
