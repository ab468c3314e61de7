/* Explains why a step of method lcp or convex was not solved: no solution, or a turn that is too large. */
#include "dynamics/methods/manifold/explain.h"

#include <stdio.h>

#include "dynamics/model/model.h"
#include "solver/lcp/boxed_lcp.h"

static bool explain(const char *unit, const AbutStepInfo *info, char *text, size_t size)
{
	if (info->residual > ABUT_BOXED_NEARLY) {
		snprintf(text, size, "no solution of the contact problem was found (%d %s, residual %.2g)",
		         info->iterations, unit, info->residual);
	} else {
		snprintf(text, size,
		         "a push or an impulse would turn a body by a half turn of more than %.2g in the step: use a "
		         "shorter "
		         "timestep",
		         ABUT_LARGEST_HALF_TURN);
	}
	return true;
}

bool abut_lcp_explain(const AbutModel *model, const AbutStepInfo *info, char *text, size_t size)
{
	(void)model;
	return explain("pivots", info, text, size);
}

bool abut_convex_explain(const AbutModel *model, const AbutStepInfo *info, char *text, size_t size)
{
	(void)model;
	return explain("iterations", info, text, size);
}
