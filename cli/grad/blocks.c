/* Chooses the blocks of `abut grad` by --wrt, and fills them from the library's matrices. Tested in
 * tests/cli/grad/grad.c. */
#include "cli/grad/blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/common/report.h"
#include "dynamics/model/joint_parameter.h"
#include "dynamics/model/parameter.h"
#include "io/text/words.h"

enum { ROWS = ABUT_GRADIENT_ROWS, INPUTS = ABUT_GRADIENT_COLUMNS - ABUT_GRADIENT_FORCE, LIST_SIZE = 512 };

/* Returns the name of a block; `joint`: in joint coordinates. */
static const char *block_name(int kind, bool joint)
{
	if (kind == ABUT_GRAD_STATE) {
		return joint ? "joint_state" : "state";
	}
	if (kind == ABUT_GRAD_INPUT) {
		return "input";
	}
	return abut_parameter_kind_name((AbutParameterKind)(kind - ABUT_GRAD_FIRST_PARAMETER));
}

/* --- choice --- */

/* Returns whether the method has the block. In joint coordinates there are none by forces on bodies and by centres of
 * mass (abut/linear.h). */
static bool method_has(const AbutModel *model, int kind, bool joint)
{
	const int parameter = kind - ABUT_GRAD_FIRST_PARAMETER;
	if (joint && (kind == ABUT_GRAD_INPUT || parameter == ABUT_PARAMETER_CENTRE_OF_MASS)) {
		return false;
	}
	return parameter < 0 || abut_parameter_supported(model, (AbutParameterKind)parameter);
}

/* Returns whether the block belongs to joints, and the model has none with such a parameter. */
static bool lacks_joints(const AbutModel *model, int kind)
{
	const AbutParameterKind parameter = (AbutParameterKind)(kind - ABUT_GRAD_FIRST_PARAMETER);
	return kind >= ABUT_GRAD_FIRST_PARAMETER && abut_parameter_of_joint(parameter) &&
	       abut_parameter_list(model, parameter, 0, NULL) == 0;
}

/* Returns whether the method has the block, but not with the model's joints. */
static bool barred(const AbutModel *model, int kind)
{
	return kind >= ABUT_GRAD_FIRST_PARAMETER && method_has(model, kind, false) &&
	       abut_joint_parameter_bars(model, (AbutParameterKind)(kind - ABUT_GRAD_FIRST_PARAMETER));
}

static void refuse_name(const char *name, const AbutModel *model, bool joint)
{
	const char *names[ABUT_GRAD_KINDS];
	char list[LIST_SIZE], meant[ABUT_MEANT_SIZE];
	int n = 0;
	for (int kind = 0; kind < ABUT_GRAD_KINDS; kind++) {
		if (method_has(model, kind, joint)) {
			names[n++] = block_name(kind, joint);
		}
	}
	abut_text_join(names, n, list, sizeof list);
	abut_report("grad: --wrt names '%s'; %sthe blocks of method %s are %s", name,
	            abut_meant(abut_text_nearest(name, names, n), meant), abut_method_name(model->options.method),
	            list);
}

static bool choose_one(const char *name, const AbutModel *model, bool joint, bool wanted[ABUT_GRAD_KINDS])
{
	for (int kind = 0; kind < ABUT_GRAD_KINDS; kind++) {
		if (strcmp(name, block_name(kind, joint)) == 0 && method_has(model, kind, joint)) {
			wanted[kind] = true;
			return true;
		}
	}
	refuse_name(name, model, joint);
	return false;
}

/* Chooses the blocks of a list of names with commas between them. */
static bool choose_some(const char *names, const AbutModel *model, bool joint, bool wanted[ABUT_GRAD_KINDS])
{
	while (names) {
		char name[64];
		const size_t length = strcspn(names, ",");
		snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), names);
		if (!choose_one(name, model, joint, wanted)) {
			return false;
		}
		names = names[length] == ',' ? names + length + 1 : NULL;
	}
	return true;
}

bool abut_grad_choose(const AbutTextList *names, const AbutModel *model, bool joint, bool wanted[ABUT_GRAD_KINDS])
{
	memset(wanted, 0, ABUT_GRAD_KINDS * sizeof *wanted);
	for (int kind = 0; names->count == 0 && kind < ABUT_GRAD_KINDS; kind++) {
		wanted[kind] = method_has(model, kind, joint) && !lacks_joints(model, kind) && !barred(model, kind);
	}
	bool chosen = true;
	for (int i = 0; chosen && i < names->count; i++) {
		chosen = choose_some(names->items[i], model, joint, wanted);
	}
	return chosen;
}

void abut_grad_list_barred(const AbutModel *model, AbutGradBlocks *out)
{
	for (int kind = 0; kind < ABUT_GRAD_KINDS; kind++) {
		if (barred(model, kind)) {
			out->missing[out->n_missing++] = block_name(kind, false);
		}
	}
	out->n_barred = out->n_missing;
}

/* --- sizes --- */

static int columns_of(const AbutModel *model, const AbutLinear *linear, int kind)
{
	if (linear && kind == ABUT_GRAD_STATE) {
		return abut_linear_state_count(linear);
	}
	if (kind < ABUT_GRAD_FIRST_PARAMETER) {
		return model->n_moving * (kind == ABUT_GRAD_STATE ? ROWS : INPUTS);
	}
	return abut_parameter_list(model, (AbutParameterKind)(kind - ABUT_GRAD_FIRST_PARAMETER), 0, NULL);
}

static void place_block(const AbutModel *model, int kind, AbutGradBlocks *out)
{
	AbutGradBlock *block = &out->blocks[out->count++];
	block->kind = kind;
	block->name = block_name(kind, out->linear != NULL);
	block->rows = out->linear ? abut_linear_state_count(out->linear) : ROWS * model->n_moving;
	block->cols = columns_of(model, out->linear, kind);
	out->n_parameters += kind < ABUT_GRAD_FIRST_PARAMETER ? 0 : block->cols;
}

static void give_memory(const AbutModel *model, AbutGradBlocks *out)
{
	double *memory = out->memory;
	AbutParameter *parameters = out->parameters;
	for (int i = 0; i < out->count; i++) {
		AbutGradBlock *block = &out->blocks[i];
		block->data = memory;
		memory += (size_t)block->rows * (size_t)block->cols;
		if (block->kind >= ABUT_GRAD_FIRST_PARAMETER) {
			const int kind = block->kind - ABUT_GRAD_FIRST_PARAMETER;
			abut_parameter_list(model, (AbutParameterKind)kind, block->cols, parameters);
			block->parameters = parameters;
			parameters += block->cols;
		}
	}
}

AbutStatus abut_grad_blocks_create(const AbutModel *model, const AbutLinear *linear, const bool wanted[ABUT_GRAD_KINDS],
                                   AbutGradBlocks *out, AbutError *error)
{
	size_t entries = 0;
	*out = (AbutGradBlocks){.linear = linear};
	for (int kind = 0; kind < ABUT_GRAD_KINDS; kind++) {
		if (wanted[kind]) {
			place_block(model, kind, out);
			const AbutGradBlock *block = &out->blocks[out->count - 1];
			entries += (size_t)block->rows * (size_t)block->cols;
		}
	}
	out->memory = calloc(entries + 1, sizeof *out->memory);
	out->parameters = calloc((size_t)out->n_parameters + 1, sizeof *out->parameters);
	if (!out->memory || !out->parameters) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the derivative of a step");
	}
	give_memory(model, out);
	return ABUT_OK;
}

void abut_grad_blocks_free(AbutGradBlocks *blocks)
{
	free(blocks->parameters);
	free(blocks->memory);
	*blocks = (AbutGradBlocks){.count = 0};
}

/* --- entries --- */

void abut_grad_block_take(const AbutGradBlock *block, const double *matrix, int width, int first, int count)
{
	const size_t n = (size_t)(block->cols / count);
	for (size_t row = 0; row < (size_t)block->rows; row++) {
		for (size_t body = 0; body < n; body++) {
			memcpy(&block->data[row * (size_t)block->cols + body * (size_t)count],
			       &matrix[(row * n + body) * (size_t)width + (size_t)first],
			       (size_t)count * sizeof *matrix);
		}
	}
}

void abut_grad_blocks_take_parameters(const AbutGradBlocks *blocks, const double *columns)
{
	for (int i = 0; i < blocks->count; i++) {
		const AbutGradBlock *block = &blocks->blocks[i];
		const size_t first = block->parameters ? (size_t)(block->parameters - blocks->parameters) : 0;
		for (size_t row = 0; block->parameters && row < (size_t)block->rows; row++) {
			memcpy(&block->data[row * (size_t)block->cols],
			       &columns[row * (size_t)blocks->n_parameters + first],
			       (size_t)block->cols * sizeof *columns);
		}
	}
}

/* --- names --- */

/* Writes the name of an entry of a body's state or input. */
static void name_entry(const AbutModel *model, int moving, int entry, char *out, size_t size)
{
	static const char *const groups[] = {"position", "rotation", "velocity", "spin", "force", "torque"};
	snprintf(out, size, "%s %s %c", abut_model_body_name(model, model->moving_body[moving]), groups[entry / 3],
	         "xyz"[entry % 3]);
}

void abut_grad_row_name(const AbutModel *model, const AbutGradBlocks *blocks, int row, char *out, size_t size)
{
	if (blocks->linear) {
		snprintf(out, size, "%s", abut_linear_state_name(blocks->linear, row));
	} else {
		name_entry(model, row / ROWS, row % ROWS, out, size);
	}
}

void abut_grad_column_name(const AbutModel *model, const AbutGradBlocks *blocks, const AbutGradBlock *block, int column,
                           char *out, size_t size)
{
	if (block->parameters) {
		abut_parameter_describe(model, &block->parameters[column], out, size);
	} else if (block->kind == ABUT_GRAD_STATE) {
		abut_grad_row_name(model, blocks, column, out, size);
	} else {
		name_entry(model, column / INPUTS, ABUT_GRADIENT_FORCE + column % INPUTS, out, size);
	}
}
