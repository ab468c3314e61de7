/* Computes the penalty s of one point (soft_contact.h). For an elliptic point, in the coordinates u = (mu y_0,
 * friction_i y_i), with N = u_0 and T the length of the other entries:
 *
 *     N >= mu T          free        s = 0
 *     mu N + T <= 0      sticks      s = 1/2 y' D y
 *     between            slides      s = 1/2 Dm (N - mu T)^2
 *
 * y = J a - r as in soft_contact.h, D the rows' weights, mu the point's `mu`, and Dm = D_0 / (mu^2 (1 + mu^2)). In any
 * other point, each row costs 1/2 D min(y, 0)^2, or 1/2 D y^2 if it is held; with a largest force F, it costs F (|y| -
 * F / (2 D)) where D |y| > F. */
#include "solver/soft/soft_penalty.h"

#include <math.h>
#include <string.h>

typedef enum Zone { FREE, STICKS, SLIDES } Zone;

static Zone zone_of(double mu, double N, double T)
{
	return N >= mu * T ? FREE : mu * N + T <= 0.0 ? STICKS : SLIDES;
}

static double scale_of(const AbutSoftPoint *point, int i)
{
	return i == 0 ? point->mu : point->friction[i - 1];
}

static double sliding_weight(const AbutSoftPoint *point, const AbutSoftRow *rows)
{
	const double mu2 = point->mu * point->mu;
	return rows[0].weight / (mu2 * (1.0 + mu2));
}

/* Returns whether a held row gives way under its largest force. */
static bool gives_way(const AbutSoftPoint *point, double weight, double y)
{
	return point->most > 0.0 && weight * fabs(y) > point->most;
}

/* Computes the penalty 1/2 y' D y with its force and second derivative. With `all`, all rows count, as for an elliptic
 * point that sticks; otherwise the rows are independent, and only those with negative y count. */
static double quadratic(const AbutSoftPoint *point, const AbutSoftRow *rows, const double *y, bool all, double *force,
                        double *hessian)
{
	const int n = point->n_rows;
	double sum = 0.0;
	for (int i = 0; i < n; i++) {
		const double weight = all || y[i] < 0.0 ? rows[i].weight : 0.0;
		if (gives_way(point, weight, y[i])) {
			sum += point->most * (fabs(y[i]) - 0.5 * point->most / weight);
			if (force) {
				force[i] = copysign(point->most, -y[i]);
			}
			continue;
		}
		sum += 0.5 * weight * y[i] * y[i];
		if (force) {
			force[i] = -weight * y[i];
		}
		if (hessian) {
			hessian[i * n + i] = weight;
		}
	}
	return sum;
}

/* Computes the penalty of a sliding point with its force and second derivative. In the coordinates u, t is the
 * direction of the tangential part, and g = (1, -mu t). Then grad s = Dm (N - mu T) g, and the second derivative is Dm
 * (g g' - mu (N - mu T) / T (I - t t')). */
static double sliding(const AbutSoftPoint *point, const AbutSoftRow *rows, const double *u, double T, double *force,
                      double *hessian)
{
	const int n = point->n_rows;
	const double weight = sliding_weight(point, rows), inside = u[0] - point->mu * T;
	double g[ABUT_SOFT_MOST_ROWS];
	for (int i = 0; i < n; i++) {
		g[i] = i == 0 ? 1.0 : -point->mu * u[i] / T;
		if (force) {
			force[i] = -weight * inside * g[i] * scale_of(point, i);
		}
	}
	for (int i = 0; hessian && i < n; i++) {
		for (int j = 0; j < n; j++) {
			double value = g[i] * g[j];
			if (i > 0 && j > 0) {
				const double across = (i == j ? 1.0 : 0.0) - u[i] * u[j] / (T * T);
				value -= point->mu * inside / T * across;
			}
			hessian[i * n + j] = weight * value * scale_of(point, i) * scale_of(point, j);
		}
	}
	return 0.5 * weight * inside * inside;
}

double abut_soft_point(const AbutSoftPoint *point, const AbutSoftRow *rows, const double *y, double *force,
                       double *hessian)
{
	const int n = point->n_rows;
	double u[ABUT_SOFT_MOST_ROWS] = {point->mu * y[0]}, T2 = 0.0;
	if (hessian) {
		memset(hessian, 0, (size_t)n * (size_t)n * sizeof(double));
	}
	if (!point->elliptic) {
		return quadratic(point, rows, y, point->held, force, hessian);
	}
	for (int i = 1; i < n; i++) {
		u[i] = scale_of(point, i) * y[i];
		T2 += u[i] * u[i];
	}
	const double T = sqrt(T2);
	switch (zone_of(point->mu, u[0], T)) {
	case STICKS:
		return quadratic(point, rows, y, true, force, hessian);
	case SLIDES:
		return sliding(point, rows, u, T, force, hessian);
	case FREE:
	default:
		if (force) {
			memset(force, 0, (size_t)n * sizeof(double));
		}
		return 0.0;
	}
}

static void quadratic_line(const AbutSoftPoint *point, const AbutSoftRow *rows, const double *y, const double *dy,
                           bool all, double derivative[2])
{
	for (int i = 0; i < point->n_rows; i++) {
		if (gives_way(point, rows[i].weight, y[i])) {
			derivative[0] += copysign(point->most, y[i]) * dy[i];
		} else if (all || y[i] < 0.0) {
			derivative[0] += rows[i].weight * y[i] * dy[i];
			derivative[1] += rows[i].weight * dy[i] * dy[i];
		}
	}
}

/* Uses T' = u.u' / T and T'' = (u'.u' - T'^2) / T. u has only the friction entries; ' is d/dt along the line. */
void abut_soft_point_line(const AbutSoftPoint *point, const AbutSoftRow *rows, const double *y, const double *dy,
                          double t, double derivative[2])
{
	double at[ABUT_SOFT_MOST_ROWS] = {0.0}, T2 = 0.0, first = 0.0, second = 0.0;
	derivative[0] = derivative[1] = 0.0;
	for (int i = 0; i < point->n_rows; i++) {
		at[i] = y[i] + t * dy[i];
	}
	if (!point->elliptic) {
		quadratic_line(point, rows, at, dy, point->held, derivative);
		return;
	}
	for (int i = 1; i < point->n_rows; i++) {
		const double u = scale_of(point, i) * at[i], du = scale_of(point, i) * dy[i];
		T2 += u * u;
		first += u * du;
		second += du * du;
	}
	const double T = sqrt(T2), N = point->mu * at[0];
	const Zone zone = zone_of(point->mu, N, T);
	if (zone == STICKS) {
		quadratic_line(point, rows, at, dy, true, derivative);
	} else if (zone == SLIDES) {
		const double weight = sliding_weight(point, rows), inside = N - point->mu * T;
		const double dT = first / T, ddT = (second - dT * dT) / T;
		const double change = point->mu * (dy[0] - dT);
		derivative[0] = weight * inside * change;
		derivative[1] = weight * (change * change - point->mu * inside * ddT);
	}
}
