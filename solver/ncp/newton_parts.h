/* Provides what both Newton loops share: the Newton system with the dense or the condensed solver, norms, and the log.
 */
#pragma once

#include <math.h>

#include "abut/log.h"
#include "solver/ncp/dense.h"

typedef struct AbutSolveReport {
	bool solved;
	int iterations; /* number of factorisations */
	double residual, complementarity;
	double start;          /* semismooth Newton: the larger of residual and complementarity at the start */
	AbutIterationLog *log; /* log of iterations, or NULL */
} AbutSolveReport;

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

/* Returns the regularisation for a residual. It decreases with the residual, and limits steps along directions without
 * stiffness. */
static inline double abut_newton_caution(const AbutNcp *ncp, double residual)
{
	return ncp->caution * (residual < 1.0 ? residual : 1.0);
}

/* Returns the max norm, or NAN if an entry is not finite. The loop handles four entries at a time. The maximum, and
 * whether the sum is finite, do not depend on the order. */
static inline double abut_max_norm(const double *v, int n)
{
	double worst[4] = {0.0}, sum[4] = {0.0};
	int i = 0;
	for (; i + 4 <= n; i += 4) {
		for (int j = 0; j < 4; j++) {
			const double a = fabs(v[i + j]);
			worst[j] = a > worst[j] ? a : worst[j];
			sum[j] += a;
		}
	}
	for (; i < n; i++) {
		const double a = fabs(v[i]);
		worst[0] = a > worst[0] ? a : worst[0];
		sum[0] += a;
	}
	const double first = worst[0] > worst[1] ? worst[0] : worst[1];
	const double second = worst[2] > worst[3] ? worst[2] : worst[3];
	return isfinite(sum[0] + sum[1] + sum[2] + sum[3]) ? (first > second ? first : second) : (double)NAN;
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
