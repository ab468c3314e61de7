/* `abut grad --check`: blocks held against differences of steps, and where these cannot decide against a complex step
 * in extended precision (experiments/reference/extended_step.h). */
#ifndef CLI_GRAD_CHECK_H
#define CLI_GRAD_CHECK_H

#include "cli/grad_blocks.h"

/* Of a block, in per cent: with more undecided entries it is undecided itself. */
enum { ABUT_GRAD_UNDECIDED_PERCENT = 10 };

/* An entry beside its difference. */
typedef struct AbutGradEntry {
	int row, col; /* -1: none was decided */
	double analytic, difference;
	double relative; /* of how far apart they are, to the verdict's scale */
	bool extended;   /* `difference` is that of the complex step */
} AbutGradEntry;

typedef struct AbutGradVerdict {
	double largest; /* of the block's entries */
	double scale;   /* what errors are relative to: that, or what a unit does in flight where that is larger */
	long entries;
	long beyond;    /* of the decided ones, further apart than the tolerance */
	long extended;  /* decided by the complex step: differences do not settle to a tenth of the tolerance, or differ
	                 */
	long undecided; /* by neither */
	const char *why; /* the complex step did not decide the last of those, static; NULL: there are none */
	AbutGradEntry worst;
} AbutGradVerdict;

typedef struct AbutGradCheck {
	double tolerance;                          /* of an entry, relative to its block's scale */
	AbutGradVerdict verdicts[ABUT_GRAD_KINDS]; /* of each block, in their order */
} AbutGradCheck;

/* Of the step that follows `before`, which ended as `info` tells, differentiated at kappa. ABUT_ERROR_MEMORY and what
 * abut_differences_create says. */
AbutStatus abut_grad_check(const AbutModel *model, const AbutState *before, const AbutStepInfo *info, double kappa,
                           const AbutGradBlocks *blocks, double tolerance, AbutGradCheck *out, AbutError *error);

/* How far apart the worst entry is, relative to the largest: more than `relative` where that is small beside a unit. */
static inline double abut_grad_of_largest(const AbutGradVerdict *verdict)
{
	const double apart = verdict->worst.relative * verdict->scale;
	return apart == 0.0 ? 0.0 : apart / verdict->largest;
}

/* "passed", "failed" (an entry is beyond the tolerance) or "undecided". */
const char *abut_grad_verdict_word(const AbutGradVerdict *verdict);
/* Whether every block did. */
bool abut_grad_check_passed(const AbutGradCheck *check, int blocks);

#endif
