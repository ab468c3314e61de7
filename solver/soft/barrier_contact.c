/* Computes the barriers of one contact, and solves the inverse problem contact by contact. */
#include "solver/soft/barrier_contact.h"

#include <math.h>

bool abut_barrier_is_allowed(const AbutBarrierProblem *problem, const double *v)
{
	bool allowed = true;
	for (int i = 0; i < problem->n; i++) {
		allowed = allowed && v[3 * i] > problem->least[i];
	}
	return allowed;
}

void abut_barrier_speed(const AbutBarrierProblem *problem, double s, bool modified, double derivative[2])
{
	const double edge = problem->kappa / problem->slope;
	const double at = modified && s < edge ? edge : s, bend = problem->kappa / (at * at);
	derivative[0] = -problem->kappa / at + bend * (s - at);
	derivative[1] = bend;
}

/* Finds the smallest positive root t of mu^2 (f_n + t d_n)^2 = |f_t + t d_t|^2, where the step leaves the cone. The
 * equation is a t^2 + 2 b t + c = 0, with c > 0 because f is inside. Of the two forms of a root, the one without
 * cancellation is used. */
double abut_barrier_step(double mu, const double f[3], const double df[3], double limit)
{
	const double m = mu * mu;
	const double a = m * df[0] * df[0] - df[1] * df[1] - df[2] * df[2];
	const double b = m * f[0] * df[0] - f[1] * df[1] - f[2] * df[2];
	const double c = m * f[0] * f[0] - f[1] * f[1] - f[2] * f[2];
	const double square = b * b - a * c;
	double out = limit;
	if (square >= 0.0) {
		const double root = sqrt(square);
		const double first = b < 0.0 ? c / (root - b) : a < 0.0 ? -(b + root) / a : limit;
		out = first < out ? first : out;
	}
	if (df[0] < 0.0 && -f[0] / df[0] < out) { /* a step towards the tip, where rounding may lose the root */
		out = -f[0] / df[0];
	}
	return out;
}

void abut_barrier_cone(double kappa, double mu, const double f[3], double gradient[3], double H[6])
{
	const double m = mu * mu, inside = m * f[0] * f[0] - f[1] * f[1] - f[2] * f[2];
	const double w = 2.0 * kappa / inside, ww = w * 2.0 / inside;
	const double p[3] = {m * f[0], -f[1], -f[2]}, head = kappa / f[0];
	gradient[0] = -w * p[0] - head;
	gradient[1] = -w * p[1];
	gradient[2] = -w * p[2];
	H[0] = ww * p[0] * p[0] - w * m + head / f[0];
	H[1] = ww * p[1] * p[0];
	H[2] = ww * p[1] * p[1] + w;
	H[3] = ww * p[2] * p[0];
	H[4] = ww * p[2] * p[1];
	H[5] = ww * p[2] * p[2] + w;
}

/* In the inverse problem each contact minimises 1/2 f' R f + F(f) + f' g by itself, with g = v + A grad V. With x = f_n
 * and w = 2 kappa / (mu^2 x^2 - |f_t|^2) the gradient is zero where
 *
 *     f_ti = -g_i / (R_i + w),   h(w) = mu^2 x^2 - sum g_i^2 / (R_i + w)^2 - 2 kappa / w = 0,
 *     e(x) = R_0 x + g_0 - kappa / x - mu^2 w x = 0.
 *
 * h is increasing and concave in w, so that Newton's method from below the root stays below it. With this w, e is the
 * slope of a convex function of x. Small barriers lead close to the cone; even there these equations subtract no nearly
 * equal numbers. */
typedef struct Lone {
	const double *R, *g;
	double m, kappa; /* m = mu^2 */
	double x, w;
	double dw; /* derivative of the root w of h with respect to x */
} Lone;

static double tail(const Lone *lone, int i, double w)
{
	return lone->g[i] / (lone->R[i] + w);
}

/* Returns h and its derivative. */
static double cone_equation(const Lone *lone, double w, double *slope)
{
	double out = lone->m * lone->x * lone->x - 2.0 * lone->kappa / w;
	*slope = 2.0 * lone->kappa / (w * w);
	for (int i = 1; i < 3; i++) {
		const double t = tail(lone, i, w);
		out -= t * t;
		*slope += 2.0 * t * t / (lone->R[i] + w);
	}
	return out;
}

/* Finds the root w of h for the present x. Starts from the last root, or from the lower bound if that is larger. */
static void solve_cone(Lone *lone)
{
	static const double rounding = 1e-15;
	const double least = 2.0 * lone->kappa / (lone->m * lone->x * lone->x);
	double w = lone->w > least ? lone->w : least, slope = 1.0;
	for (int k = 0; k < ABUT_BARRIER_ITERATIONS; k++) {
		const double change = -cone_equation(lone, w, &slope) / slope;
		const double next = w + change > least ? w + change : least;
		const bool done = fabs(next - w) <= rounding * w;
		w = next;
		if (done) {
			break;
		}
	}
	lone->w = w;
	lone->dw = -2.0 * lone->m * lone->x / slope;
}

/* Returns e relative to the sum of its parts, and computes Newton's change of x. */
static double normal_equation(const Lone *lone, double *change)
{
	const double x = lone->x, push = lone->kappa / x, cone = lone->m * lone->w * x;
	const double value = lone->R[0] * x + lone->g[0] - push - cone;
	*change = -value / (lone->R[0] + push / x - lone->m * (lone->w + x * lone->dw));
	return value / (lone->R[0] * x + fabs(lone->g[0]) + push + cone);
}

/* Solves one contact. Starts from the best impulse without friction, which is too small if g has a tangential part. */
static int solve_contact(const AbutBarrierProblem *problem, int contact, const double g[3], double f[3],
                         double *residual)
{
	static const double goal = 1e-15;
	Lone lone = {.R = &problem->R[3 * contact],
	             .g = g,
	             .m = problem->mu[contact] * problem->mu[contact],
	             .kappa = problem->kappa};
	const double root = sqrt(g[0] * g[0] + 12.0 * lone.R[0] * lone.kappa);
	double low = 0.0, high = INFINITY, value = INFINITY;
	int iterations = 0;
	lone.x = g[0] > 0.0 ? 6.0 * lone.kappa / (g[0] + root) : (root - g[0]) / (2.0 * lone.R[0]);
	for (; iterations < ABUT_BARRIER_ITERATIONS; iterations++) {
		double change;
		solve_cone(&lone);
		value = normal_equation(&lone, &change);
		low = value < 0.0 ? lone.x : low;
		high = value < 0.0 ? high : lone.x;
		double next = lone.x + change;
		if (!(next > low && next < high)) {
			next = high < (double)INFINITY ? 0.5 * (low + high) : 2.0 * low;
		}
		if (fabs(value) <= goal || fabs(next - lone.x) <= goal * lone.x) {
			break;
		}
		lone.x = next;
	}
	f[0] = lone.x;
	for (int i = 1; i < 3; i++) {
		f[i] = -tail(&lone, i, lone.w);
	}
	*residual = fmax(*residual, fabs(value));
	return iterations;
}

void abut_barrier_inverse(const AbutBarrierProblem *problem, const double *v, double *f, double *c,
                          AbutBarrierReport *report)
{
	const int n = 3 * problem->n;
	*report = (AbutBarrierReport){.allowed = abut_barrier_is_allowed(problem, v)};
	for (int i = 0; i < n; i++) {
		c[i] = v[i];
	}
	for (int k = 0; k < problem->n; k++) { /* c becomes g = v + A grad V; A is symmetric */
		double speed[2];
		abut_barrier_speed(problem, v[3 * k] - problem->least[k], !report->allowed, speed);
		for (int i = 0; i < n; i++) {
			c[i] += problem->A[3 * k * n + i] * speed[0];
		}
	}
	for (int k = 0; k < problem->n; k++) {
		const int iterations = solve_contact(problem, k, &c[3 * k], &f[3 * k], &report->residual);
		report->iterations = iterations > report->iterations ? iterations : report->iterations;
	}
	for (int i = 0; i < n; i++) {
		double sum = v[i];
		for (int k = 0; k < n; k++) {
			sum -= problem->A[i * n + k] * f[k];
		}
		c[i] = sum;
	}
	report->solved = report->residual <= ABUT_BARRIER_NEARLY;
}
