/* Follows the path by a primal-dual interior-point method in the plain Jordan direction (Dojo, Algorithm 2 without its
 * line search; docs/formulation.md 5). An affine predictor for kappa chooses the centring. The corrector reuses its
 * factorisation, because both right-hand sides are known before it. y and s take one common step, and z the same, or,
 * if asked, each cone of z its own: in a robot one contact of many jams the common step (docs/formulation.md 5). */
#include "solver/ncp/interior_point.h"

#include <math.h>

#include "base/vec3.h"

#include "solver/cones/row_kernels.h"

/* Returns the max norm of r and of the slack rows s - H. */
static double residual_norm(const AbutNcp *ncp, const AbutIterate *w)
{
	const double of_r = abut_max_norm(w->r, ncp->n_y), of_s = abut_rows_distance(ncp->n_z, w->s, w->H);
	return isfinite(of_r) && isfinite(of_s) ? abut_max(of_r, of_s) : (double)NAN;
}

static void direction(const AbutNcp *ncp, AbutIterate *w, double weight)
{
	abut_newton_recover(ncp, w, weight);
	abut_rows_slack_direction(ncp->n_z, w->s, w->H, w->dH, w->ds);
}

static double step_to_boundary(const AbutNcp *ncp, const AbutIterate *w, double limit)
{
	const double step = abut_cones_step(ncp->cones, ncp->n_cones, w->z, w->dz, limit);
	return abut_cones_step(ncp->cones, ncp->n_cones, w->s, w->ds, step);
}

static double duality_measure(const AbutNcp *ncp, const AbutIterate *w, double step, int degree)
{
	return abut_rows_product(ncp->n_z, step, w->z, w->dz, w->s, w->ds) / degree;
}

/* Returns the target of the corrector, sigma mu. mu is the mean product of slack and dual, and sigma = clip(mu_affine /
 * mu, 0, 1)^3. The target is at least a tenth of mu (after an affine step longer than 0.9, a hundredth), and at least
 * kappa. */
static double centring_target(const AbutNcp *ncp, const AbutIterate *w, double kappa, double tau, int degree)
{
	const double step = abut_min(1.0, tau * step_to_boundary(ncp, w, 1.0 / tau));
	const double mu = duality_measure(ncp, w, 0.0, degree);
	const double ratio = abut_min(abut_max(duality_measure(ncp, w, step, degree) / mu, 0.0), 1.0);
	return abut_max(abut_max(ratio * ratio * ratio, step > 0.9 ? 0.01 : 0.1) * mu, kappa);
}

/* Advances y, z and s along the direction. Returns the step of y and s. */
static double advance(const AbutNcp *ncp, const AbutPathOptions *options, AbutIterate *w)
{
	const double tau = options->boundary;
	const double reach = options->own_duals ? abut_cones_step(ncp->cones, ncp->n_cones, w->s, w->ds, 1.0 / tau)
	                                        : step_to_boundary(ncp, w, 1.0 / tau);
	const double step = ncp->ops->step_limit(ncp->problem, w->y, w->dy, abut_min(1.0, tau * reach));
	for (int i = 0; i < ncp->n_y; i++) {
		w->y[i] += step * w->dy[i];
	}
	if (!options->own_duals) {
		abut_rows_advance(ncp->n_z, step, w->dz, w->ds, w->z, w->s);
		return step;
	}
	for (int i = 0; i < ncp->n_cones; i++) {
		const AbutCone *cone = &ncp->cones[i];
		const double own = abut_min(1.0, tau * abut_cones_step(cone, 1, w->z, w->dz, 1.0 / tau));
		for (int j = cone->offset; j < cone->offset + cone->dim; j++) {
			w->s[j] += step * w->ds[j];
			w->z[j] += own * w->dz[j];
		}
	}
	return step;
}

/* Returns by how much the mean product is below its target. At this point no product is above the target by more than
 * the tolerance; if the mean is not below, no product is. */
static double below_centre(const AbutNcp *ncp, const AbutIterate *w, double kappa, int degree)
{
	return degree > 0 ? abut_cones_target(ncp->cones, ncp->n_cones, kappa) - duality_measure(ncp, w, 0.0, degree)
	                  : 0.0;
}

void abut_solve_path(const AbutNcp *ncp, const AbutPathOptions *options, AbutIterate *w, AbutSolveReport *report)
{
	const double kappa = options->kappa;
	const double tau = options->boundary;
	const int degree = abut_cones_degree(ncp->cones, ncp->n_cones);
	int jammed = 0;
	report->solved = false;
	report->iterations = 0;
	for (;;) {
		ncp->ops->evaluate(ncp->problem, w->y, w->z, w->r, w->H);
		report->residual = residual_norm(ncp, w);
		report->complementarity = abut_cones_complementarity(ncp->cones, ncp->n_cones, w->z, w->s, kappa);
		if (options->centred) {
			report->complementarity =
			    abut_max(report->complementarity, below_centre(ncp, w, kappa, degree));
		}
		if (report->residual <= options->tolerance && report->complementarity <= options->tolerance) {
			report->solved = true;
			return;
		}
		if (!isfinite(report->residual)) {
			report->residual = (double)INFINITY;
			return;
		}
		if (report->iterations >= options->max_iterations ||
		    (options->patience > 0 && jammed >= options->patience) ||
		    abut_stopped_after(ncp->stop, ncp->n_y + ncp->n_z)) {
			return;
		}
		abut_cones_law_path(ncp->cones, ncp->n_cones, w->z, w->s, w->H, kappa, &w->law);
		w->law.rho = abut_newton_caution(ncp, report->residual);
		report->iterations++;
		if (!abut_newton_condense(ncp, w)) {
			return;
		}
		direction(ncp, w, 0.0);
		const double target = degree > 0 ? centring_target(ncp, w, kappa, tau, degree) : kappa;
		direction(ncp, w, target - kappa);
		const double step = advance(ncp, options, w);
		abut_log_iteration(report, 0, target, step);
		jammed = step < options->least_step ? jammed + 1 : 0;
	}
}
