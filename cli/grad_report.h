/* What `abut grad` prints on stdout. */
#ifndef CLI_GRAD_REPORT_H
#define CLI_GRAD_REPORT_H

#include "cli/grad_check.h"

typedef struct AbutGradReport {
	const AbutSceneDef *def;
	const AbutModel *model;
	unsigned long long seed;
	long step; /* taken before the one that was differentiated */
	double kappa;
	const AbutStepInfo *info;  /* of that step */
	const AbutState *after;    /* the state that it led to */
	const AbutBodyState *path; /* (n_moving) the state that the derivative is of; NULL: that */
	const AbutGradBlocks *blocks;
	const AbutGradCheck *check; /* NULL: not asked for */
} AbutGradReport;

void abut_print_grad(const AbutGradReport *report);
void abut_print_grad_json(const AbutGradReport *report);

#endif
