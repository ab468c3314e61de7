/* What both loops share: the Newton system behind either linear algebra, norms, and the log. */
#ifndef SOLVER_NEWTON_H
#define SOLVER_NEWTON_H

#include <math.h>

#include "solver/dense.h"
#include "solver/interior_point.h"

static inline bool abut_newton_condense(const AbutNcp *ncp, AbutIterate *w)
{
	return w->dense ? abut_dense_condense(ncp, w) : ncp->ops->condense(ncp->problem, w->r, &w->law);
}

static inline void abut_newton_recover(const AbutNcp *ncp, AbutIterate *w, double weight)
{
	if (w->dense) {
		abut_dense_recover(ncp, w, weight);
	} else {
		ncp->ops->recover(ncp->problem, &w->law, weight, w->dy, w->dz, w->dH);
	}
}

/* Max norm, NAN when an entry is not finite. */
static inline double abut_max_norm(const double *v, int n)
{
	double worst = 0.0;
	double sum = 0.0; /* not finite as soon as one entry is not */
	for (int i = 0; i < n; i++) {
		const double a = fabs(v[i]);
		worst = a > worst ? a : worst;
		sum += a;
	}
	return isfinite(sum) ? worst : (double)NAN;
}

static inline void abut_log_iteration(AbutSolveReport *report, int phase, double kappa, double step_length)
{
	AbutIterationLog *log = report->log;
	if (!log || !log->entries || log->count >= log->capacity) {
		return;
	}
	log->entries[log->count++] = (AbutIteration){.phase = phase,
	                                             .kappa = kappa,
	                                             .residual = report->residual,
	                                             .complementarity = report->complementarity,
	                                             .step_length = step_length};
}

#endif
