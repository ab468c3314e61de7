/* Semismooth Newton on the natural residual (docs/formulation.md 6). The projection onto the cones is the active set,
 * so that a good start mostly ends exactly after two steps. */
#include "solver/ncp/semismooth.h"

#include <math.h>
#include <string.h>

static const double abandon_residual = 1e6;

/* Never give up below this residual: even a good start violates rows about to become active by so much. */
static const double far_away = 1.0;

/* The regularisation shortens each step by delta times its length. For friction, whose elimination has no small pivots,
 * delta is reduced once the active set can be trusted, which saves an iteration that would only make up for it. Not
 * with redundant sticking contacts: what they cannot all meet is taken up by delta alone. */
static const double near_residual = 1e-2, sharper = 0.01;

/* Returns the max norm of [r; z - P(z - C H)] at (y, z), and leaves r and H in the iterate; INFINITY if not finite. */
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

/* Flushes tiny values to zero. A value that decays by a factor in every iteration would otherwise become subnormal,
 * where each operation takes a hundred cycles. */
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

/* Takes the full step, halved while the residual grows; without success the best length tried. Returns the residual at
 * the new point, where r and H are evaluated. */
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

/* Makes the law of an iteration. On the path z and s are both positive, and their scales, which differ by orders of
 * magnitude between rows, decide which of the two is to vanish. The path's own step to kappa = 0 has no scale: it gives
 * one of z and H the sign of an active row, the other that of an inactive one. The first exact law has no earlier set
 * to compare with. */
static void linearise(const AbutNcp *ncp, const AbutExactOptions *options, AbutIterate *w, double norm, bool affine,
                      int iteration)
{
	if (affine) {
		abut_cones_law_path(ncp->cones, ncp->n_cones, w->z, w->s, w->H, 0.0, &w->law);
		w->law.rho = abut_newton_caution(ncp, norm);
		return;
	}
	/* A start from the path has small forces everywhere; those left after two iterations are real. */
	const double force = iteration < 2 ? (double)INFINITY : options->tolerance;
	const double delta_head = norm < near_residual && !options->even ? sharper * options->delta : options->delta;
	abut_cones_law_exact(ncp->cones, ncp->n_cones, w->z, w->H, options->delta, delta_head, force, &w->law);
	w->law.rho = fmax(options->rho, abut_newton_caution(ncp, norm));
	if (iteration > (options->from_path ? 1 : 0)) {
		abut_active_set_thin(ncp->cones, ncp->n_cones, w->z, w->H, &w->set, &w->law);
	} else {
		abut_active_set_keep(ncp->cones, ncp->n_cones, &w->law, &w->set);
	}
}

/* The progress of a finish: `mark_at` is the last iteration that counts as progress. */
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
		if (hopeless(options, &progress, norm, best, report->iterations)) {
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
