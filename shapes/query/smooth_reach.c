/* Computes how far a smooth shape reaches. It solves the convex program
 *
 *      max c.y   over  y (k), eps   subject to   g_i(p, alpha, eps) <= 0,    p = centre + P y,
 *
 * where P is the identity for a furthest point, and one direction for a ray. A primal-dual interior point method, whose
 * start may lie outside, solves
 *
 *      r_d = G' lambda - (c, 0) = 0,     r_p = g + s = 0,     lambda_i s_i = mu                                  (1)
 *
 * with the gradients G and Hessians H_i of the g_i. Eliminating the changes of lambda and s, a step is
 *
 *      M d(y, eps) = -r_d - G' ((mu - lambda s + lambda r_p) / s),
 *      M = sum lambda_i H_i + G' diag(lambda / s) G                                                                (2)
 *
 * M^-1 also shows how the optimum moves with c: it is the curvature of the support function. Lengths are divided by the
 * bounding radius. Tested by smooth/support_of_superellipsoids and smooth/support_of_an_intersection in
 * tests/shapes/smooth.c. */
#include "shapes/query/smooth_reach.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

enum { most_iterations = 100, most_halvings = 10, N = 3 + ABUT_SMOOTH_EPS_MAX, ROWS = ABUT_SMOOTH_ROWS_MAX };

/* Errors relative to the bounding radius: the goal, the level where rounding begins, and the largest acceptable error.
 */
static const double goal = 1e-15, rounding = 1e-11, enough = 1e-9;

/* The user's function `furthest` may return a point where the gradient deviates from the direction by at most this
 * fraction, as at edges that are nearly sharp. */
static const double known = 1e-3;

typedef struct Program {
	const AbutSmooth *f;
	int k, n, m;   /* numbers of columns of P, unknowns, and rows */
	double P[9];   /* (3 x k) */
	double c[3];   /* (k) */
	double length; /* unit of the unknowns, m */
	double alpha;
} Program;

typedef struct Point {
	double x[N], lambda[ROWS], s[ROWS];
	double g[ROWS], G[ROWS * N]; /* values g, and their derivatives G with respect to the unknowns */
	double r_d[N], r_p[ROWS];
	double mu;
} Point;

/* Fills the arguments u of the functions from the unknowns x. */
static void place(const Program *p, const double *x, double *u)
{
	for (int i = 0; i < 3; i++) {
		u[i] = p->f->centre[i];
		for (int j = 0; j < p->k; j++) {
			u[i] += p->length * p->P[3 * i + j] * x[j];
		}
	}
	u[3] = p->alpha;
	for (int e = 0; e < p->f->n_eps; e++) {
		u[4 + e] = p->length * x[p->k + e];
	}
}

/* Returns the column of u for the auxiliary unknown j. */
static int eps_column(const Program *p, int j)
{
	return 4 + j - p->k;
}

/* Returns the slack: -g instead of s if both are close. The curvature of an inactive row does not matter, but would
 * shorten every step. */
static double settled(double g, double s)
{
	return -g > 0.5 * s && -g < 2.0 * s ? -g : s;
}

/* Evaluates g, G and the residuals of (1). Returns false if one of them is not finite. */
static bool evaluate(const Program *p, Point *at)
{
	const int width = 4 + p->f->n_eps;
	double u[ABUT_SMOOTH_WIDTH_MAX], G[ROWS * ABUT_SMOOTH_WIDTH_MAX], dot = 0.0;
	place(p, at->x, u);
	p->f->value(p->f->data, u, at->g);
	p->f->gradient(p->f->data, u, G);
	for (int j = 0; j < p->n; j++) {
		at->r_d[j] = j < p->k ? -p->c[j] : 0.0;
	}
	for (int i = 0; i < p->m; i++) {
		const double *row = &G[i * width];
		at->g[i] /= p->length;
		at->s[i] = settled(at->g[i], at->s[i]);
		at->r_p[i] = at->g[i] + at->s[i];
		for (int j = 0; j < p->n; j++) {
			at->G[i * N + j] = j < p->k ? row[0] * p->P[j] + row[1] * p->P[3 + j] + row[2] * p->P[6 + j]
			                            : row[eps_column(p, j)];
			at->r_d[j] += at->lambda[i] * at->G[i * N + j];
		}
		dot += at->lambda[i] * at->s[i];
	}
	at->mu = dot / p->m;
	return abut_all_finite(at->r_p, p->m) && abut_all_finite(at->r_d, p->n);
}

/* Sets M to sum lambda_i H_i, with the Hessians H_i by the unknowns. Returns false if a Hessian is not finite. */
static bool bend(const Program *p, const Point *at, double M[N * N])
{
	const int width = 4 + p->f->n_eps;
	double u[ABUT_SMOOTH_WIDTH_MAX], H[ABUT_SMOOTH_WIDTH_MAX * ABUT_SMOOTH_WIDTH_MAX];
	double T[N * ABUT_SMOOTH_WIDTH_MAX]; /* row j: du / dx_j */
	place(p, at->x, u);
	p->f->hessian(p->f->data, u, at->lambda, H);
	memset(T, 0, sizeof T);
	for (int j = 0; j < p->n; j++) {
		for (int i = 0; j < p->k && i < 3; i++) {
			T[j * width + i] = p->P[3 * i + j];
		}
		if (j >= p->k) {
			T[j * width + eps_column(p, j)] = 1.0;
		}
	}
	for (int a = 0; a < p->n; a++) {
		for (int b = 0; b < p->n; b++) {
			double sum = 0.0;
			for (int i = 0; i < width; i++) {
				for (int j = 0; j < width; j++) {
					sum += T[a * width + i] * H[i * width + j] * T[b * width + j];
				}
			}
			M[a * N + b] = p->length * sum;
		}
	}
	return abut_all_finite(H, width * width);
}

/* Computes M of (2) and factorises it in place as L L'. Adds a multiple of the identity that is proportional to the
 * error, because the curvature may vanish at the centre of a shape and on its flat parts. */
static bool factorise(const Program *p, const Point *at, double error, double M[N * N])
{
	static const double share = 1e-15, least = 1e-14, caution = 0.1;
	double sum = 1.0;
	if (!bend(p, at, M)) {
		return false;
	}
	for (int a = 0; a < p->n; a++) {
		for (int b = 0; b < p->n; b++) {
			for (int i = 0; i < p->m; i++) {
				M[a * N + b] += at->lambda[i] / at->s[i] * at->G[i * N + a] * at->G[i * N + b];
			}
		}
		sum += fabs(M[a * N + a]);
		M[a * N + a] += share * M[a * N + a] + least + caution * abut_min(error, 1.0);
	}
	for (int a = 0; a < p->n; a++) {
		const double pivot = share * M[a * N + a];
		for (int b = 0; b <= a; b++) {
			double rest = M[a * N + b];
			for (int j = 0; j < b; j++) {
				rest -= M[a * N + j] * M[b * N + j];
			}
			M[a * N + b] = a == b ? sqrt(abut_max(rest, pivot)) : rest / M[b * N + b];
		}
	}
	return isfinite(sum);
}

static void solve(const double M[N * N], int n, double *x)
{
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < i; j++) {
			x[i] -= M[i * N + j] * x[j];
		}
		x[i] /= M[i * N + i];
	}
	for (int i = n - 1; i >= 0; i--) {
		for (int j = i + 1; j < n; j++) {
			x[i] -= M[j * N + i] * x[j];
		}
		x[i] /= M[i * N + i];
	}
}

typedef struct Step {
	double x[N], lambda[ROWS], s[ROWS];
} Step;

/* Computes the step towards lambda_i s_i = target - second_i, where `second` (m) holds the products of the predictor's
 * changes. */
static void direction(const Program *p, const Point *at, const double M[N * N], double target, const double *second,
                      Step *d)
{
	double push[ROWS] = {0.0};
	for (int i = 0; i < p->m; i++) {
		push[i] = (target - second[i] - at->lambda[i] * at->s[i] + at->lambda[i] * at->r_p[i]) / at->s[i];
	}
	for (int j = 0; j < p->n; j++) {
		d->x[j] = -at->r_d[j];
		for (int i = 0; i < p->m; i++) {
			d->x[j] -= at->G[i * N + j] * push[i];
		}
	}
	solve(M, p->n, d->x);
	for (int i = 0; i < p->m; i++) {
		double along = 0.0;
		for (int j = 0; j < p->n; j++) {
			along += at->G[i * N + j] * d->x[j];
		}
		d->lambda[i] = push[i] + at->lambda[i] / at->s[i] * along;
		d->s[i] = -at->r_p[i] - along;
	}
}

/* Returns the largest step up to 1 that goes at most the fraction `share` of the way to the boundary and moves each
 * unknown by at most `longest`. */
static double step_length(const Program *p, const Point *at, const Step *d, double share)
{
	static const double longest = 0.5; /* relative to the bounding radius */
	double step = 1.0;
	for (int j = 0; j < p->n; j++) {
		step = abut_min(step, longest / fmax(fabs(d->x[j]), longest));
	}
	for (int i = 0; i < p->m; i++) {
		step = d->s[i] < 0.0 ? abut_min(step, -share * at->s[i] / d->s[i]) : step;
		step = d->lambda[i] < 0.0 ? abut_min(step, -share * at->lambda[i] / d->lambda[i]) : step;
	}
	return step;
}

static void move(const Program *p, const Point *from, const Step *d, double step, Point *to)
{
	for (int j = 0; j < p->n; j++) {
		to->x[j] = from->x[j] + step * d->x[j];
	}
	for (int i = 0; i < p->m; i++) {
		to->lambda[i] = from->lambda[i] + step * d->lambda[i];
		to->s[i] = from->s[i] + step * d->s[i];
	}
}

/* Returns a measure of the residuals of (1) with mu = `target`. M^-1 defines the norm of r_d, so that stretching the
 * shape does not matter: gradients across a thin shape may be a thousand times larger than those along it. */
static double merit(const Program *p, const double M[N * N], const Point *at, double target)
{
	double step[N], worst = 0.0;
	memcpy(step, at->r_d, sizeof step);
	solve(M, p->n, step);
	for (int j = 0; j < p->n; j++) {
		worst += step[j] * at->r_d[j];
	}
	worst = sqrt(abut_max(worst, 0.0));
	for (int i = 0; i < p->m; i++) {
		worst = abut_max(worst, fabs(at->r_p[i]));
		worst = abut_max(worst, fabs(at->lambda[i] * at->s[i] - target));
	}
	return worst;
}

/* Makes one step: a predictor, a target from its result, and a corrector that is shortened until the residuals of (1)
 * decrease. Returns false after a numerical failure. */
static bool advance(const Program *p, const double M[N * N], Point *at)
{
	static const double none[ROWS] = {0.0};
	double second[ROWS], reached = 0.0;
	Step affine = {.x = {0.0}}, d = affine;
	Point next;
	direction(p, at, M, 0.0, none, &affine);
	const double way = step_length(p, at, &affine, 1.0);
	for (int i = 0; i < p->m; i++) {
		reached += (at->lambda[i] + way * affine.lambda[i]) * (at->s[i] + way * affine.s[i]) / p->m;
		second[i] = way * way * affine.lambda[i] * affine.s[i];
	}
	/* the products must not vanish before (1) holds, because then the iteration would stall */
	const double ratio = reached / at->mu, behind = 0.01 * merit(p, M, at, at->mu);
	const double target = abut_max(abut_min(ratio * ratio * ratio, 1.0) * at->mu, behind);
	direction(p, at, M, target, second, &d);
	double step = step_length(p, at, &d, abut_max(0.995, 1.0 - at->mu));
	const double before = merit(p, M, at, target);
	bool nearer = false;
	for (int i = 0; i < most_halvings && !nearer; i++, step *= 0.5) {
		move(p, at, &d, step, &next);
		nearer = evaluate(p, &next) && merit(p, M, &next, target) <= (1.0 - 0.01 * step) * before;
	}
	if (!nearer) { /* no decrease, as at a kink of the merit function: make a step that is not tiny */
		move(p, at, &d, 64.0 * step, &next);
		evaluate(p, &next);
	}
	*at = next;
	return abut_all_finite(at->x, p->n) && abut_all_finite(at->r_p, p->m);
}

static void begin(const Program *p, Point *at)
{
	memset(at, 0, sizeof *at);
	evaluate(p, at);
	for (int i = 0; i < p->m; i++) {
		at->s[i] = abut_max(-at->g[i], 0.1);
		at->lambda[i] = 1.0 / p->m;
	}
}

/* Returns a bound on the error of c.y: the duality gap plus the effect of the residuals. */
static double error_of(const Program *p, const Point *at)
{
	double sum = p->m * at->mu;
	for (int i = 0; i < p->m; i++) {
		sum += at->lambda[i] * fabs(at->r_p[i]);
	}
	for (int j = 0; j < p->n; j++) {
		sum += fabs(at->r_d[j]);
	}
	return sum;
}

/* Reads the columns of M^-1 that belong to changes of c. */
static void read_bend(const Program *p, const double M[N * N], AbutSmoothReach *out)
{
	for (int j = 0; j < 3; j++) {
		double column[N] = {0.0};
		column[j] = 1.0;
		solve(M, p->n, column);
		for (int i = 0; i < 3; i++) {
			out->bend[3 * i + j] = p->length * column[i];
		}
	}
}

static bool solve_program(const Program *p, AbutSmoothReach *out)
{
	/* M^-1 is read while mu is at least this large, where rounding and mu distort it least. */
	static const double readable = 1e-9;
	double M[N * N] = {0.0}, best = (double)INFINITY;
	Point at, kept;
	begin(p, &at);
	kept = at;
	if (!evaluate(p, &at)) {
		return false;
	}
	for (int i = 0; i < most_iterations; i++) {
		const double error = error_of(p, &at);
		const bool idle = best <= rounding && error > 0.5 * best;
		if (error < best) {
			best = error;
			kept = at;
		}
		if (error <= goal || idle || !factorise(p, &at, error, M)) {
			break;
		}
		if (p->k == 3 && (at.mu >= readable || i == 0)) {
			read_bend(p, M, out);
		}
		if (!advance(p, M, &at)) {
			break;
		}
	}
	if (!(best <= enough)) {
		return false;
	}
	double u[ABUT_SMOOTH_WIDTH_MAX];
	place(p, kept.x, u);
	abut_copy3(u, out->point);
	memcpy(out->eps, &u[4], (size_t)p->f->n_eps * sizeof *u);
	memcpy(out->lambda, kept.lambda, (size_t)p->m * sizeof *u);
	out->value = 0.0;
	for (int j = 0; j < p->k; j++) {
		out->value += p->length * p->c[j] * kept.x[j];
	}
	out->error = p->length * best;
	return true;
}

/* Finds multiplier and curvature at the furthest point x, known from the user's function, of a shape with one row. The
 * multiplier lambda satisfies lambda dg/dp = c. Returns false if x is not on the boundary, or if the gradient there is
 * not parallel to c. */
static bool at_known_point(const Program *p, const double x[3], AbutSmoothReach *out)
{
	static const double mu = 1e-9;
	double M[N * N] = {0.0}, across = 0.0;
	Point at;
	memset(&at, 0, sizeof at);
	for (int i = 0; i < 3; i++) {
		at.x[i] = (x[i] - p->f->centre[i]) * p->alpha / p->length;
		out->point[i] = p->f->centre[i] + p->length * at.x[i];
	}
	at.lambda[0] = at.s[0] = 1.0;
	if (!evaluate(p, &at)) {
		return false;
	}
	out->lambda[0] = at.lambda[0] = abut_dot3(p->c, at.G) / abut_dot3(at.G, at.G);
	for (int i = 0; i < 3; i++) {
		across = fmax(across, fabs(at.lambda[0] * at.G[i] - p->c[i]));
	}
	if (!(at.lambda[0] > 0.0 && at.lambda[0] * fabs(at.g[0]) <= enough && across <= known)) {
		return false;
	}
	out->value = p->length * abut_dot3(p->c, at.x);
	out->error = p->length * at.lambda[0] * fabs(at.g[0]);
	at.s[0] = mu / at.lambda[0];
	if (!factorise(p, &at, 0.0, M)) {
		return false;
	}
	read_bend(p, M, out);
	return true;
}

bool abut_smooth_furthest(const AbutSmooth *f, const double direction[3], double alpha, AbutSmoothReach *out)
{
	const Program program = {.f = f,
	                         .k = 3,
	                         .n = 3 + f->n_eps,
	                         .m = f->n_rows,
	                         .P = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0},
	                         .c = {direction[0], direction[1], direction[2]},
	                         .length = f->bounding_radius,
	                         .alpha = alpha};
	if (f->furthest) {
		double point[3];
		f->furthest(f->data, direction, point);
		return abut_all_finite(point, 3) && at_known_point(&program, point, out);
	}
	return solve_program(&program, out);
}

bool abut_smooth_on_ray(const AbutSmooth *f, const double direction[3], AbutSmoothReach *out)
{
	Program program = {
	    .f = f, .k = 1, .n = 1 + f->n_eps, .m = f->n_rows, .c = {1.0}, .length = f->bounding_radius, .alpha = 1.0};
	for (int i = 0; i < 3; i++) {
		program.P[3 * i] = direction[i];
	}
	return solve_program(&program, out);
}
