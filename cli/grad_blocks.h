/* The derivative of a step, cut into the blocks that `abut grad` prints. */
#ifndef CLI_GRAD_BLOCKS_H
#define CLI_GRAD_BLOCKS_H

#include "abut/gradient.h"
#include "cli/cli.h"

enum { ABUT_GRAD_STATE, ABUT_GRAD_INPUT, ABUT_GRAD_FIRST_PARAMETER, ABUT_GRAD_KINDS = 2 + ABUT_PARAMETER_COUNT };

/* Which blocks, by their place among all: the state, the input, then the kinds of parameters. */
typedef struct AbutGradChoice {
	bool wanted[ABUT_GRAD_KINDS];
} AbutGradChoice;

typedef struct AbutGradBlock {
	int kind;         /* its place among all blocks */
	const char *name; /* static */
	int rows, cols;
	double *data; /* (rows x cols) row-major */
	const AbutParameter
	    *parameters; /* (cols) of the columns; NULL: those of the moving bodies, one after the other */
} AbutGradBlock;

typedef struct AbutGradBlocks {
	int count;
	AbutGradBlock blocks[ABUT_GRAD_KINDS];
	int n_missing;
	const char *missing[ABUT_GRAD_KINDS]; /* names of blocks that were left out: they do not exist */
	int n_parameters;                     /* of all blocks */
	AbutParameter *parameters;
	double *memory;
} AbutGradBlocks;

/* Texts of names with commas between them; no text: all that the method has. False after a line on stderr: a name that
 * is none, or that the method does not differentiate by. */
bool abut_grad_choose(const AbutTextList *names, AbutMethod method, AbutGradChoice *out);

/* Empty blocks of the right sizes. ABUT_ERROR_MEMORY. Also to be freed when it failed. */
AbutStatus abut_grad_blocks_create(const AbutModel *model, const AbutGradChoice *choice, AbutGradBlocks *out,
                                   AbutError *error);
void abut_grad_blocks_free(AbutGradBlocks *blocks);

/* From matrices of as many rows, with `width` columns for each moving body: of a body's columns, `block` has `count`
 * from `first` on. */
void abut_grad_block_take(const AbutGradBlock *block, const double *matrix, int width, int first, int count);
/* From the columns of all parameters. */
void abut_grad_blocks_take_parameters(const AbutGradBlocks *blocks, const double *columns);

/* What a row or a column is, such as "cube rotation y", in `size` bytes. */
void abut_grad_row_name(const AbutModel *model, int row, char *out, size_t size);
void abut_grad_column_name(const AbutModel *model, const AbutGradBlock *block, int column, char *out, size_t size);

#endif
