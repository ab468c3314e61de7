/* Descends by BFGS with halved steps. */
#include "experiments/shape_optimisation/descent.h"

#include <math.h>
#include <string.h>

enum { MOST_HALVINGS = 30 };

/* Resets the inverse; the next step then follows the negative slope by the wanted length. */
static void forget(AbutDescent *d)
{
	double largest = 0.0;
	for (int i = 0; i < d->n; i++) {
		largest = fmax(largest, fabs(d->slope[i]));
	}
	memset(d->inverse, 0, sizeof d->inverse);
	for (int i = 0; i < d->n; i++) {
		d->inverse[d->n * i + i] = largest > 0.0 ? d->longest / largest : 1.0;
	}
}

bool abut_descent_begin(AbutDescent *d)
{
	const bool known = d->evaluate(d->context, d->x, &d->cost, d->slope);
	forget(d);
	return known;
}

static double dot(int n, const double *a, const double *b)
{
	double sum = 0.0;
	for (int i = 0; i < n; i++) {
		sum += a[i] * b[i];
	}
	return sum;
}

/* Updates the inverse with the step s, the change y of the slope and r = 1 / y.s: H <- (1 - r s y') H (1 - r y s') + r
 * s s'. */
static void learn(AbutDescent *d, const double *s, const double *y)
{
	const int n = d->n;
	const double sy = dot(n, s, y);
	double Hy[ABUT_DESCENT_MOST];
	if (!(sy > 1e-12 * sqrt(dot(n, s, s) * dot(n, y, y)))) {
		return;
	}
	for (int i = 0; i < n; i++) {
		Hy[i] = dot(n, &d->inverse[n * i], y);
	}
	const double factor = (1.0 + dot(n, y, Hy) / sy) / sy;
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < n; j++) {
			d->inverse[n * i + j] += factor * s[i] * s[j] - (Hy[i] * s[j] + s[i] * Hy[j]) / sy;
		}
	}
}

/* Searches along `way` for a step that lowers the cost by at least a ten-thousandth of what the slope predicts. */
static bool search(AbutDescent *d, const double *way)
{
	const int n = d->n;
	const double promise = dot(n, d->slope, way);
	double share = 1.0, x[ABUT_DESCENT_MOST], slope[ABUT_DESCENT_MOST], cost;
	for (int k = 0; k < MOST_HALVINGS; k++, share *= 0.5) {
		for (int i = 0; i < n; i++) {
			x[i] = d->x[i] + share * way[i];
		}
		if (!d->evaluate(d->context, x, &cost, slope) || !(cost < d->cost + 1e-4 * share * promise)) {
			continue;
		}
		double s[ABUT_DESCENT_MOST], y[ABUT_DESCENT_MOST];
		for (int i = 0; i < n; i++) {
			s[i] = x[i] - d->x[i];
			y[i] = slope[i] - d->slope[i];
			d->x[i] = x[i];
			d->slope[i] = slope[i];
		}
		d->cost = cost;
		learn(d, s, y);
		return true;
	}
	return false;
}

bool abut_descent_step(AbutDescent *d)
{
	double way[ABUT_DESCENT_MOST];
	for (int tries = 0; tries < 2; tries++) {
		for (int i = 0; i < d->n; i++) {
			way[i] = -dot(d->n, &d->inverse[d->n * i], d->slope);
		}
		if (dot(d->n, way, d->slope) < 0.0 && search(d, way)) {
			return true;
		}
		forget(d);
	}
	return false;
}
