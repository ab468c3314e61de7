/* Compares derivatives with references for `abut grad --check`. Each column is compared with finite differences
 * (experiments/reference/differences.h). Entries that these cannot decide are compared with a complex step in extended
 * precision. Decisions by differences are final: at an exact solution, only differences notice that the contacts of a
 * step impose more conditions than there are degrees of freedom. Tested in tests/cli/grad/grad_check.c. */
#include "cli/grad/check.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "cli/common/progress.h"
#include "dynamics/gradient/method.h"
#include "dynamics/model/model.h"
#include "experiments/reference/differences.h"
#include "experiments/reference/extended_step.h"

enum { ROWS = ABUT_GRADIENT_ROWS, INPUTS = ABUT_GRADIENT_COLUMNS - ABUT_GRADIENT_FORCE };

/* A difference decides if its error is below this fraction of the tolerance. */
static const double settled_part = 0.1;

/* Returns the number of columns of a body in a block of state or input. */
static int own_columns(const AbutGradBlock *block)
{
	return block->kind == ABUT_GRAD_STATE ? ROWS : INPUTS;
}

/* Returns the entry of the tangent space to which a column belongs. */
static int entry_of(const AbutGradBlock *block, int column)
{
	return (block->kind == ABUT_GRAD_STATE ? 0 : ABUT_GRADIENT_FORCE) + column % own_columns(block);
}

static AbutStatus difference_column(AbutDifferences *differences, const AbutGradBlock *block, int column,
                                    double *values, double *errors, AbutError *error)
{
	if (block->parameters) {
		return abut_differences_parameter(differences, &block->parameters[column], values, errors, error);
	}
	return abut_differences_state(differences, column / own_columns(block), entry_of(block, column), values, errors,
	                              error);
}

/* Returns the largest effect of one unit on a body in flight; 0 for states. If all contacts stick, forces and friction
 * change nothing, and the block is measured by this effect. */
static double find_unit(const AbutModel *model, const AbutGradBlock *block)
{
	double scale = 0.0;
	for (int column = 0; column < block->cols; column++) {
		const int entry = ABUT_GRADIENT_FORCE + column % INPUTS;
		if (block->parameters) {
			scale = fmax(scale, abut_differences_parameter_effect(model, &block->parameters[column]));
		} else if (block->kind == ABUT_GRAD_INPUT) {
			scale = fmax(scale, abut_differences_entry_effect(model, entry));
		}
	}
	return scale;
}

static double find_largest(const AbutGradBlock *block)
{
	double largest = 0.0;
	for (size_t i = 0; i < (size_t)block->rows * (size_t)block->cols; i++) {
		largest = fmax(largest, fabs(block->data[i]));
	}
	return largest;
}

/* The comparison and its data. */
typedef struct Judge {
	const AbutModel *model;
	const AbutState *before;
	double kappa, tolerance;
	bool chained; /* the step was taken in parts on the path, each part on its own path */
	AbutDifferences *differences;
	AbutExtendedStep *extended;     /* created when it is first needed */
	double *values, *errors;        /* (rows) a column by differences */
	double *better, *better_errors; /* (rows) the same column by the complex step */
	AbutProgress progress;
	long columns, columns_done; /* of all blocks */
} Judge;

/* Returns whether derivatives contain only contacts by cones, as for method single-level. */
static bool has_cones_only(const AbutModel *model)
{
	const AbutMethodGradient *gradient = model->method->gradient;
	return gradient && !gradient->make && !gradient->n_edges;
}

/* Computes the column by the complex step into `better`; if that fails, `*why` is the reason. */
static AbutStatus ask_extended(Judge *judge, const AbutGradBlock *block, int column, const char **why, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	if (judge->chained) {
		*why = "the step was taken in parts, each with a derivative on a path of its own";
		return ABUT_OK;
	}
	if (block->parameters || !has_cones_only(judge->model)) {
		*why = "extended precision supports only state and input of method single-level";
		return ABUT_OK;
	}
	if (!judge->extended) {
		status = abut_extended_step_create(judge->model, judge->before, judge->kappa, &judge->extended, error);
	}
	if (status == ABUT_OK) {
		const int moving = column / own_columns(block);
		*why = abut_extended_step_why(judge->extended, moving);
		abut_extended_step_column(judge->extended, moving, entry_of(block, column), judge->better,
		                          judge->better_errors);
	}
	return status;
}

static bool is_settled(const Judge *judge, const AbutGradVerdict *verdict, double error)
{
	return error <= settled_part * judge->tolerance * verdict->scale;
}

static void judge_entry(const Judge *judge, const AbutGradBlock *block, int row, int column, bool extended,
                        AbutGradVerdict *verdict)
{
	const double analytic = block->data[(size_t)row * (size_t)block->cols + (size_t)column];
	const double value = extended ? judge->better[row] : judge->values[row];
	const AbutGradEntry entry = {row, column, analytic, value, fabs(analytic - value) / verdict->scale, extended};
	verdict->extended += extended;
	verdict->beyond += !(entry.relative <= judge->tolerance);
	if (verdict->worst.row < 0 || !(entry.relative <= verdict->worst.relative)) {
		verdict->worst = entry;
	}
}

/* Returns whether differences do not decide an entry, or contradict it. Near a change of mode they may contradict it
 * wrongly: if the change is equally far away on both sides, the differences agree with each other but not with the
 * derivative. */
static bool is_open(const Judge *judge, const AbutGradBlock *block, int row, int column, const AbutGradVerdict *verdict)
{
	const double analytic = block->data[(size_t)row * (size_t)block->cols + (size_t)column];
	return !is_settled(judge, verdict, judge->errors[row]) ||
	       !(fabs(analytic - judge->values[row]) <= judge->tolerance * verdict->scale);
}

/* Decides by the complex step the entries that differences leave open. If it fails, differences that have settled
 * decide. Exceptions are steps on the border of two contact modes and chained steps. Their derivatives are not those of
 * a single function, so differences may confirm them but cannot refute them. */
static AbutStatus judge_rest(Judge *judge, const AbutGradBlock *block, int column, AbutGradVerdict *verdict,
                             AbutError *error)
{
	const char *why = NULL;
	const AbutStatus status = ask_extended(judge, block, column, &why, error);
	const bool on_border = !block->parameters && judge->extended &&
	                       abut_extended_step_on_border(judge->extended, column / own_columns(block));
	const bool decides = !on_border && !judge->chained;
	for (int row = 0; status == ABUT_OK && row < block->rows; row++) {
		if (!is_open(judge, block, row, column, verdict)) {
			continue;
		}
		if (!why && is_settled(judge, verdict, judge->better_errors[row])) {
			judge_entry(judge, block, row, column, true, verdict);
		} else if (is_settled(judge, verdict, judge->errors[row]) && decides) {
			judge_entry(judge, block, row, column, false, verdict);
		} else {
			verdict->undecided++;
			verdict->why = why ? why : "extended precision does not settle either";
		}
	}
	return status;
}

static AbutStatus check_column(Judge *judge, const AbutGradBlock *block, int column, AbutGradVerdict *verdict,
                               AbutError *error)
{
	int open = 0;
	const AbutStatus status =
	    difference_column(judge->differences, block, column, judge->values, judge->errors, error);
	for (int row = 0; status == ABUT_OK && row < block->rows; row++) {
		if (is_open(judge, block, row, column, verdict)) {
			open++;
		} else {
			judge_entry(judge, block, row, column, false, verdict);
		}
	}
	return status == ABUT_OK && open > 0 ? judge_rest(judge, block, column, verdict, error) : status;
}

static AbutStatus check_block(Judge *judge, const AbutGradBlock *block, AbutGradVerdict *verdict, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	const double largest = find_largest(block);
	*verdict = (AbutGradVerdict){.largest = largest,
	                             .scale = fmax(largest, find_unit(judge->model, block)),
	                             .entries = (long)block->rows * (long)block->cols,
	                             .worst = {.row = -1, .col = -1}};
	for (int column = 0; status == ABUT_OK && column < block->cols; column++) {
		abut_progress_show(&judge->progress, judge->columns_done++, judge->columns, "columns");
		status = check_column(judge, block, column, verdict, error);
	}
	return status;
}

AbutStatus abut_grad_check(const AbutModel *model, const AbutState *before, const AbutStepInfo *info, double kappa,
                           const AbutGradBlocks *blocks, double tolerance, AbutGradCheck *out, AbutError *error)
{
	const size_t rows = (size_t)blocks->blocks[0].rows;
	double *room = calloc(4 * rows + 1, sizeof *room);
	*out = (AbutGradCheck){.tolerance = tolerance};
	if (!room) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for differences of steps");
	}
	Judge judge = {.model = model,
	               .before = before,
	               .kappa = kappa,
	               .tolerance = tolerance,
	               .chained = kappa > 0.0 && info->parts > 1,
	               .values = room,
	               .errors = room + rows,
	               .better = room + 2 * rows,
	               .better_errors = room + 3 * rows,
	               .progress = abut_progress_begin()};
	for (int i = 0; i < blocks->count; i++) {
		judge.columns += blocks->blocks[i].cols;
	}
	AbutStatus status = abut_differences_create(model, before, kappa, &judge.differences, error);
	for (int i = 0; status == ABUT_OK && i < blocks->count; i++) {
		status = check_block(&judge, &blocks->blocks[i], &out->verdicts[i], error);
	}
	abut_progress_end(&judge.progress);
	abut_extended_step_destroy(judge.extended);
	abut_differences_destroy(judge.differences);
	free(room);
	return status;
}

static bool is_undecided(const AbutGradVerdict *verdict)
{
	return 100 * verdict->undecided > ABUT_GRAD_UNDECIDED_PERCENT * verdict->entries;
}

const char *abut_grad_verdict_word(const AbutGradVerdict *verdict)
{
	return verdict->beyond > 0 ? "failed" : is_undecided(verdict) ? "undecided" : "passed";
}

bool abut_grad_check_failed(const AbutGradCheck *check, int blocks)
{
	bool failed = false;
	for (int i = 0; i < blocks; i++) {
		failed = failed || check->verdicts[i].beyond > 0;
	}
	return failed;
}

bool abut_grad_check_passed(const AbutGradCheck *check, int blocks)
{
	bool passed = true;
	for (int i = 0; i < blocks; i++) {
		passed = passed && check->verdicts[i].beyond == 0 && !is_undecided(&check->verdicts[i]);
	}
	return passed;
}
