/* Divides the derivative of a step into the blocks that `abut grad` prints. */
#pragma once

#include "abut/linear.h"
#include "cli/common/args.h"

enum { ABUT_GRAD_STATE, ABUT_GRAD_INPUT, ABUT_GRAD_FIRST_PARAMETER, ABUT_GRAD_KINDS = 2 + ABUT_PARAMETER_COUNT };

typedef struct AbutGradBlock {
	int kind;         /* ABUT_GRAD_STATE, ABUT_GRAD_INPUT, or ABUT_GRAD_FIRST_PARAMETER + AbutParameterKind */
	const char *name; /* static */
	int rows, cols;
	double *data;                    /* (rows x cols) row-major */
	const AbutParameter *parameters; /* (cols); NULL: columns belong to the moving bodies, in their order */
} AbutGradBlock;

typedef struct AbutGradBlocks {
	const AbutLinear *linear; /* in whose coordinates rows and states are; NULL: those of the bodies */
	int count;
	AbutGradBlock blocks[ABUT_GRAD_KINDS];
	int n_missing;
	const char *missing[ABUT_GRAD_KINDS]; /* names of blocks without a derivative, which were left out */
	int n_barred;                         /* the first of them: blocks that no step with joints has */
	int n_parameters;                     /* of all blocks */
	AbutParameter *parameters;
	double *memory;
} AbutGradBlocks;

/* Chooses the blocks, in coordinates of bodies or `joint` ones, listed in `names`, separated by commas; without a list,
 * all blocks that the method supports, and with joints only those that steps with joints have. Returns false after a
 * message for an unknown name, or for one that the method does not support. */
bool abut_grad_choose(const AbutTextList *names, const AbutModel *model, bool joint, bool wanted[ABUT_GRAD_KINDS]);
/* Lists as missing the blocks of the method that no step with joints has, if the model has joints. */
void abut_grad_list_barred(const AbutModel *model, AbutGradBlocks *out);

/* Creates empty blocks of the right sizes, in joint coordinates if `linear` is not NULL, to be freed also after a
 * failure. Returns ABUT_ERROR_MEMORY. */
AbutStatus abut_grad_blocks_create(const AbutModel *model, const AbutLinear *linear, const bool wanted[ABUT_GRAD_KINDS],
                                   AbutGradBlocks *out, AbutError *error);
void abut_grad_blocks_free(AbutGradBlocks *blocks);

/* Copies a block from a matrix with `width` columns for each moving body: `count` columns of each from `first` on. */
void abut_grad_block_take(const AbutGradBlock *block, const double *matrix, int width, int first, int count);
/* Copies the blocks of parameters from the columns of all parameters. */
void abut_grad_blocks_take_parameters(const AbutGradBlocks *blocks, const double *columns);

/* Write the name of a row or column, such as "cube rotation y", in `size` bytes. */
void abut_grad_row_name(const AbutModel *model, const AbutGradBlocks *blocks, int row, char *out, size_t size);
void abut_grad_column_name(const AbutModel *model, const AbutGradBlocks *blocks, const AbutGradBlock *block, int column,
                           char *out, size_t size);
