/* Prints the output of `abut grad`. */
#pragma once

#include "cli/grad/check.h"

typedef struct AbutGradReport {
	const AbutSceneDef *def;
	const AbutModel *model;
	unsigned long long seed;
	long step; /* steps before the differentiated one */
	double kappa;
	const AbutStepInfo *info; /* of the differentiated step */
	const AbutState *after;   /* the state after it */
	const AbutBodyState
	    *path; /* (n_moving) the state on the path, to which the derivative belongs; NULL: `after` */
	const AbutGradBlocks *blocks;
	const AbutGradCheck *check; /* NULL: without --check */
} AbutGradReport;

void abut_print_grad(const AbutGradReport *report);
void abut_print_grad_json(const AbutGradReport *report);
