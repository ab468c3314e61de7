/* Minimises a convex quadratic within bounds by projected Newton steps. */
#include "experiments/ilqr/box_newton.h"

#include <math.h>
#include <string.h>

enum { MOST = ABUT_BOX_NEWTON_MOST, MOST_STEPS = 100, MOST_CUTS = 30 };

static bool factorise(int n, const double *H, const bool *held, double *L)
{
	memset(L, 0, sizeof(double) * (size_t)n * (size_t)n);
	for (int i = 0; i < n; i++) {
		for (int j = 0; j <= i; j++) {
			double sum = held[i] || held[j] ? (i == j ? 1.0 : 0.0) : H[n * i + j];
			for (int k = 0; k < j; k++) {
				sum -= L[n * i + k] * L[n * j + k];
			}
			if (i == j && !(sum > 0.0 && isfinite(sum))) {
				return false;
			}
			L[n * i + j] = i == j ? sqrt(sum) : sum / L[n * j + j];
		}
	}
	return true;
}

void abut_cholesky_apply(int n, const double *factor, double *x, int stride)
{
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < i; k++) {
			x[i * stride] -= factor[n * i + k] * x[k * stride];
		}
		x[i * stride] /= factor[n * i + i];
	}
	for (int i = n - 1; i >= 0; i--) {
		for (int k = i + 1; k < n; k++) {
			x[i * stride] -= factor[n * k + i] * x[k * stride];
		}
		x[i * stride] /= factor[n * i + i];
	}
}

/* Returns the value at `d`, and writes the gradient H d + g. */
static double value_at(const AbutBoxNewton *p, const double *d, double *gradient)
{
	double value = 0.0;
	for (int i = 0; i < p->n; i++) {
		gradient[i] = p->g[i];
		for (int j = 0; j < p->n; j++) {
			gradient[i] += p->H[p->n * i + j] * d[j];
		}
		value += 0.5 * d[i] * (gradient[i] + p->g[i]);
	}
	return value;
}

static bool find_held(const AbutBoxNewton *p, const double *d, const double *gradient, bool *held)
{
	bool changed = false;
	for (int i = 0; i < p->n; i++) {
		const bool now = (d[i] <= p->low[i] && gradient[i] > 0.0) || (d[i] >= p->high[i] && gradient[i] < 0.0);
		changed = changed || now != held[i];
		held[i] = now;
	}
	return changed;
}

/* Moves along the Newton step, cut off at the bounds, by the first of halved lengths that lowers the value enough.
 * False: no length does, to rounding. */
static bool advance(const AbutBoxNewton *p, const double *step, double value, const double *gradient, double *d)
{
	double share = 1.0;
	for (int cut = 0; cut < MOST_CUTS; cut++, share *= 0.5) {
		double trial[MOST], unused[MOST], slope = 0.0;
		for (int i = 0; i < p->n; i++) {
			trial[i] = fmin(fmax(d[i] + share * step[i], p->low[i]), p->high[i]);
			slope += gradient[i] * (trial[i] - d[i]);
		}
		if (slope < 0.0 && value_at(p, trial, unused) <= value + 0.1 * slope) {
			memcpy(d, trial, sizeof(double) * (size_t)p->n);
			return true;
		}
	}
	return false;
}

bool abut_box_newton_solve(const AbutBoxNewton *problem, double *d, bool *held, double *factor)
{
	const AbutBoxNewton *p = problem;
	const int n = p->n;
	for (int i = 0; i < n; i++) {
		d[i] = 0.0;
		held[i] = false;
	}
	for (int taken = 0; taken < MOST_STEPS; taken++) {
		double gradient[MOST], step[MOST], largest = 0.0, scale = 0.0;
		const double value = value_at(p, d, gradient);
		if ((find_held(p, d, gradient, held) || taken == 0) && !factorise(n, p->H, held, factor)) {
			return false;
		}
		for (int i = 0; i < n; i++) {
			step[i] = held[i] ? 0.0 : -gradient[i];
			largest = fmax(largest, fabs(step[i]));
			scale = fmax(scale, fabs(p->g[i]));
		}
		if (largest <= 1e-12 * scale) {
			return true;
		}
		abut_cholesky_apply(n, factor, step, 1);
		if (!advance(p, step, value, gradient, d)) {
			return true;
		}
	}
	return true;
}
