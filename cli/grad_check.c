/* Each column of each block is differenced on its own (experiments/differences.h). */
#include "cli/grad_check.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "experiments/differences.h"

enum { ROWS = ABUT_GRADIENT_ROWS, INPUTS = ABUT_GRADIENT_COLUMNS - ABUT_GRADIENT_FORCE };

/* Of the tolerance: how well a difference must be known to decide. */
static const double settled_part = 0.1;

static AbutStatus difference_column(AbutDifferences *differences, const AbutGradBlock *block, int column,
                                    double *values, double *errors, AbutError *error)
{
	if (block->parameters) {
		return abut_differences_parameter(differences, &block->parameters[column], values, errors, error);
	}
	const int own = block->kind == ABUT_GRAD_STATE ? ROWS : INPUTS;
	const int first = block->kind == ABUT_GRAD_STATE ? 0 : ABUT_GRADIENT_FORCE;
	return abut_differences_state(differences, column / own, first + column % own, values, errors, error);
}

/* Where all stick, forces and friction change nothing: the block is measured by what they do elsewhere. */
static double find_scale(const AbutModel *model, const AbutGradBlock *block)
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
	for (size_t i = 0; i < (size_t)block->rows * (size_t)block->cols; i++) {
		scale = fmax(scale, fabs(block->data[i]));
	}
	return scale;
}

static void judge_entry(double tolerance, const AbutGradEntry *entry, double error, AbutGradVerdict *verdict)
{
	if (!(error <= settled_part * tolerance * verdict->scale)) {
		verdict->undecided++;
		return;
	}
	verdict->beyond += !(entry->relative <= tolerance);
	if (verdict->worst.row < 0 || !(entry->relative <= verdict->worst.relative)) {
		verdict->worst = *entry;
	}
}

static AbutStatus check_block(AbutDifferences *differences, const AbutGradBlock *block, double tolerance, double *room,
                              AbutGradVerdict *verdict, AbutError *error)
{
	double *values = room, *errors = room + block->rows;
	AbutStatus status = ABUT_OK;
	for (int column = 0; status == ABUT_OK && column < block->cols; column++) {
		status = difference_column(differences, block, column, values, errors, error);
		for (int row = 0; status == ABUT_OK && row < block->rows; row++) {
			const double analytic = block->data[(size_t)row * (size_t)block->cols + (size_t)column];
			const AbutGradEntry entry = {row, column, analytic, values[row],
			                             fabs(analytic - values[row]) / verdict->scale};
			judge_entry(tolerance, &entry, errors[row], verdict);
		}
	}
	return status;
}

AbutStatus abut_grad_check(const AbutModel *model, const AbutState *before, double kappa, const AbutGradBlocks *blocks,
                           double tolerance, AbutGradCheck *out, AbutError *error)
{
	AbutDifferences *differences = NULL;
	double *room = calloc(2 * (size_t)blocks->blocks[0].rows + 1, sizeof *room);
	*out = (AbutGradCheck){.tolerance = tolerance};
	if (!room) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for differences of steps");
	}
	AbutStatus status = abut_differences_create(model, before, kappa, &differences, error);
	for (int i = 0; status == ABUT_OK && i < blocks->count; i++) {
		const AbutGradBlock *block = &blocks->blocks[i];
		out->verdicts[i] = (AbutGradVerdict){.scale = find_scale(model, block),
		                                     .entries = (long)block->rows * (long)block->cols,
		                                     .worst = {-1, -1, 0.0, 0.0, 0.0}};
		status = check_block(differences, block, tolerance, room, &out->verdicts[i], error);
	}
	abut_differences_destroy(differences);
	free(room);
	return status;
}

const char *abut_grad_verdict_word(const AbutGradVerdict *verdict)
{
	if (verdict->beyond > 0) {
		return "failed";
	}
	return 100 * verdict->undecided > ABUT_GRAD_UNDECIDED_PERCENT * verdict->entries ? "undecided" : "passed";
}

bool abut_grad_check_failed(const AbutGradCheck *check, int blocks)
{
	bool failed = false;
	for (int i = 0; i < blocks; i++) {
		failed = failed || check->verdicts[i].beyond > 0;
	}
	return failed;
}
