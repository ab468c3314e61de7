/* Solves for the exact solution by the semismooth Newton method on the natural residual (docs/formulation.md 6). The
 * projection onto the cones determines the active set. From a good start, two steps mostly reach the solution. */
#include "solver/ncp/semismooth.h"

#include <math.h>
#include <string.h>

static const double abandon_residual = 1e6;

/* The growth of the residual stops the iteration only above this value. Even from a good start, rows that become active
 * are violated by about this much. */
static const double far_away = 1.0;

/* The regularisation shortens each step by a share of about delta. For friction, whose elimination has no small pivots,
 * delta is multiplied by `sharper` once the residual is below `near_residual`, where the active set is reliable. This
 * saves an iteration. With redundant sticking contacts (`even`) delta is kept, since only delta absorbs what they
 * cannot all satisfy. */
static const double near_residual = 1e-2, sharper = 0.01;

/* The regularisation of the collision unknowns is at most ten times the residual, so that it does not slow the last
 * iterations, but at least this. */
static const double least_rho = 1e-9;

/* Evaluates r and H at (y, z), which stay in the iterate. Returns the max norm of [r; z - P(z - C H)], or INFINITY if
 * an entry is not finite. */
static double natural_residual(const AbutNcp *ncp, AbutIterate *w, AbutSolveReport *report)
{
	ncp->ops->evaluate(ncp->problem, w->y, w->z, w->r, w->H);
	report->residual = abut_max_norm(w->r, ncp->n_y);
	report->complementarity = abut_cones_natural_residual(ncp->cones, ncp->n_cones, w->z, w->H);
	if (!isfinite(report->residual) || !isfinite(abut_max_norm(w->H, ncp->n_z))) {
		report->residual = (double)INFINITY;
	}
	return fmax(report->residual, report->complementarity);
}

/* Replaces tiny values by zero. A value that decays by a factor in every iteration would otherwise become subnormal,
 * and operations on subnormal numbers take about a hundred cycles. */
static double without_dust(double value)
{
	return fabs(value) < 1e-100 ? 0.0 : value;
}

static void move_from_base(const AbutNcp *ncp, AbutIterate *w, double step)
{
	for (int i = 0; i < ncp->n_y; i++) {
		w->y[i] = without_dust(w->y_base[i] + step * w->dy[i]);
	}
	for (int i = 0; i < ncp->n_z; i++) {
		w->z[i] = without_dust(w->z_base[i] + step * w->dz[i]);
	}
}

static void copy_point(const AbutNcp *ncp, const double *y, const double *z, double *y_out, double *z_out)
{
	memcpy(y_out, y, (size_t)ncp->n_y * sizeof(double));
	memcpy(z_out, z, (size_t)ncp->n_z * sizeof(double));
}

/* Takes the full step and halves it while the residual grows. If no length reduces the residual, takes the best one
 * tried. r and H are evaluated at the new point. Returns its residual. */
static double search(const AbutNcp *ncp, AbutIterate *w, double norm, int halvings, double limit,
                     AbutSolveReport *report, double *step_out)
{
	double step = limit, best_step = limit, best = INFINITY;
	copy_point(ncp, w->y, w->z, w->y_base, w->z_base);
	for (int i = 0; i <= halvings; i++, step *= 0.5) {
		move_from_base(ncp, w, step);
		const double trial = natural_residual(ncp, w, report);
		if (trial < best || i == 0) {
			best = trial;
			best_step = step;
		}
		if (trial < norm || halvings == 0) {
			*step_out = step;
			return trial;
		}
	}
	move_from_base(ncp, w, best_step);
	*step_out = best_step;
	return natural_residual(ncp, w, report);
}

/* Makes the law of an iteration. For a start on the path, the first law (`affine`) is that of the path for kappa = 0.
 * On the path, z and s are positive, and the sign of z - C H would depend on their scales, which differ by orders of
 * magnitude between rows. The step of the path's law does not depend on these scales: it gives z and H the signs of an
 * active or an inactive row. The first exact law has no earlier active set with which it could be compared. */
static void linearise(const AbutNcp *ncp, const AbutExactOptions *options, AbutIterate *w, double norm, bool affine,
                      int iteration)
{
	if (affine) {
		abut_cones_law_path(ncp->cones, ncp->n_cones, w->z, w->s, w->H, 0.0, &w->law);
		w->law.rho = abut_newton_caution(ncp, norm);
		return;
	}
	/* After a start from the path, small forces act everywhere. Forces that remain after two iterations are real.
	 */
	const double force = iteration < 2 ? (double)INFINITY : options->tolerance;
	const double delta_head = norm < near_residual && !options->even ? sharper * options->delta : options->delta;
	abut_cones_law_exact(ncp->cones, ncp->n_cones, w->z, w->H, options->delta, delta_head, force, &w->law);
	const double rho = fmax(least_rho, fmin(options->rho, 10.0 * norm));
	w->law.rho = fmax(rho, abut_newton_caution(ncp, norm));
	if (iteration > (options->from_path ? 1 : 0)) {
		abut_active_set_thin(ncp->cones, ncp->n_cones, w->z, w->H, &w->set, &w->law);
	} else {
		abut_active_set_keep(ncp->cones, ncp->n_cones, &w->law, &w->set);
	}
}

/* The progress of the iteration: `mark` is the last residual that counts as progress, in iteration `mark_at`. */
typedef struct Progress {
	double first, mark;
	int mark_at;
} Progress;

static bool hopeless(const AbutExactOptions *options, Progress *progress, double norm, double best, int iteration)
{
	if (best <= 0.5 * progress->mark) {
		progress->mark = best;
		progress->mark_at = iteration;
	}
	return (options->patience > 0 && iteration - progress->mark_at >= options->patience) ||
	       (options->growth > 0.0 && norm > fmax(options->growth * progress->first, far_away));
}

void abut_solve_exact(const AbutNcp *ncp, const AbutExactOptions *options, AbutIterate *w, AbutSolveReport *report)
{
	double norm = natural_residual(ncp, w, report);
	Progress progress = {norm, norm, 0};
	report->start = norm;
	double best = norm;
	report->iterations = 0;
	copy_point(ncp, w->y, w->z, w->y_best, w->z_best);
	while (norm > options->goal && report->iterations < options->max_iterations && norm <= abandon_residual) {
		if (hopeless(options, &progress, norm, best, report->iterations) ||
		    abut_stopped_after(ncp->stop, ncp->n_y + ncp->n_z)) {
			break;
		}
		const bool affine = options->from_path && report->iterations == 0;
		linearise(ncp, options, w, norm, affine, report->iterations);
		report->iterations++;
		if (!abut_newton_condense(ncp, w)) {
			break;
		}
		abut_newton_recover(ncp, w, 0.0);
		const double limit = ncp->ops->step_limit(ncp->problem, w->y, w->dy, 1.0);
		double step = limit;
		norm = search(ncp, w, norm, affine ? 0 : options->halvings, limit, report, &step);
		abut_log_iteration(report, 1, 0.0, step);
		const bool enough = best < options->tolerance && norm > 0.1 * best;
		if (norm < best) {
			best = norm;
			copy_point(ncp, w->y, w->z, w->y_best, w->z_best);
		}
		if (enough) {
			break;
		}
	}
	report->solved = best < options->tolerance;
	if (norm > best) {
		copy_point(ncp, w->y_best, w->z_best, w->y, w->z);
		natural_residual(ncp, w, report);
	}
}
