/* Checks derivatives for `abut grad --check`: compares blocks with finite differences of steps, and entries that these
 * cannot decide with a complex step in extended precision (experiments/reference/extended_step.h). */
#pragma once

#include "cli/grad/blocks.h"

/* A block with more undecided entries than this, in per cent, is undecided itself. */
enum { ABUT_GRAD_UNDECIDED_PERCENT = 10 };

/* An entry and the difference it is compared with. */
typedef struct AbutGradEntry {
	int row, col; /* -1: no entry was decided */
	double analytic, difference;
	double relative; /* their distance, relative to the scale of the verdict */
	bool extended;   /* `difference` is by the complex step */
} AbutGradEntry;

typedef struct AbutGradVerdict {
	double largest; /* largest entry of the block */
	double
	    scale; /* errors are relative to this: `largest`, or the effect of one unit in flight if that is larger */
	long entries;
	long beyond;     /* decided entries further apart than the tolerance */
	long extended;   /* entries decided by the complex step, because differences did not settle or contradicted the
	                    entry */
	long undecided;  /* entries that neither method decided */
	const char *why; /* static: why the last undecided entry is undecided; NULL: there are none */
	AbutGradEntry worst;
} AbutGradVerdict;

typedef struct AbutGradCheck {
	double tolerance;                          /* allowed error of an entry, relative to the scale of its block */
	AbutGradVerdict verdicts[ABUT_GRAD_KINDS]; /* of the blocks, in their order */
} AbutGradCheck;

/* Checks the derivative at `kappa` of the step that follows `before` and ended with `info`. Returns ABUT_ERROR_MEMORY
 * and the statuses of abut_differences_create. */
AbutStatus abut_grad_check(const AbutModel *model, const AbutState *before, const AbutStepInfo *info, double kappa,
                           const AbutGradBlocks *blocks, double tolerance, AbutGradCheck *out, AbutError *error);

/* Returns the distance of the worst entry relative to the largest entry, rather than to the scale. */
static inline double abut_grad_of_largest(const AbutGradVerdict *verdict)
{
	const double apart = verdict->worst.relative * verdict->scale;
	return apart == 0.0 ? 0.0 : apart / verdict->largest;
}

/* Returns "passed", "failed" (an entry is beyond the tolerance) or "undecided". */
const char *abut_grad_verdict_word(const AbutGradVerdict *verdict);
/* Returns whether every block passed. */
bool abut_grad_check_passed(const AbutGradCheck *check, int blocks);
/* Returns whether an entry of a block is wrong. */
bool abut_grad_check_failed(const AbutGradCheck *check, int blocks);
