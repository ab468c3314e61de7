/* Solves by iterative LQR (ilqr.h). The value at k is  V + p' dx + 1/2 dx' P dx.  Subscripts of l, the cost at k, and
 * of Q are derivatives; A and B are the derivatives of the step by state x and input u; p and P on the right are those
 * of k + 1. With
 *
 *      Q_x = l_x + A' p        Q_xx = l_xx + A' P A      Q_ux = l_ux + B' P A
 *      Q_u = l_u + B' p        Q_uu = l_uu + B' P B + mu I
 *
 * the change d of the input minimises 1/2 d' Q_uu d + Q_u' d within the bounds; mu regularises. The gain is K =
 * -Q_uu^-1 Q_ux for inputs that are not at a bound. The value at k is that of this policy, so its Q_uu is without mu:
 *
 *      p = Q_x + K' Q_uu d + K' Q_u + Q_ux' d            P = Q_xx + K' Q_uu K + K' Q_ux + Q_ux' K
 *
 * A fraction a of the changes is predicted to change the cost by  a sum Q_u' d + a^2 / 2 sum d' Q_uu d. */
#include "experiments/ilqr/ilqr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/thread_pool.h"
#include "experiments/ilqr/box_newton.h"

enum { MOST_INPUTS = ABUT_BOX_NEWTON_MOST, MOST_SIZE = 1 << 12 };

static const double enough = 1e-4; /* least fraction of the predicted decrease */

/* A rollout. */
typedef struct Trial {
	double share;
	double *x, *u, *deviation; /* the latter (change) */
	int steps;                 /* that succeeded */
	bool failed;
} Trial;

typedef struct Solver {
	const AbutIlqrProblem *p;
	AbutThreadPool *pool;
	double *memory;
	double *x, *u; /* the caller's */
	Trial trials[ABUT_ILQR_THREADS];
	double *missing;                   /* (horizon): 1 if the step has no derivative */
	double *A, *B;                     /* (horizon) */
	double *d, *K;                     /* (horizon): changes and gains */
	double *value_x, *value_xx;        /* p, P */
	double *PA, *PB;                   /* (change x change), (change x input) */
	double *Qx, *Qu, *Qxx, *Quu, *Qux; /* the expansion, then with what comes after */
	double slope, curvature;           /* of the predicted change of cost */
	double regularisation, growth;
} Solver;

AbutIlqrOptions abut_ilqr_options_default(void)
{
	return (AbutIlqrOptions){.iterations = 200,
	                         .cost_tolerance = 1e-9,
	                         .input_tolerance = 1e-9,
	                         .regularisation = 1e-6,
	                         .most_regularisation = 1e10,
	                         .shares = 12};
}

/* --- memory --- */

static AbutStatus check(const AbutIlqrProblem *p, const AbutIlqrOptions *o, AbutError *error)
{
	if (p->threads < 1 || p->threads > ABUT_ILQR_THREADS) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "the problem has %d threads; allowed are 1 to %d", p->threads, ABUT_ILQR_THREADS);
	}
	if (p->horizon < 1 || p->horizon > MOST_SIZE || p->state < 1 || p->state > MOST_SIZE || p->change < 1 ||
	    p->change > MOST_SIZE || p->input < 1 || p->input > MOST_INPUTS) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "the problem has %d steps, %d and %d numbers of state and change, and %d inputs; "
		                      "allowed are 1 to %d, and up to %d inputs",
		                      p->horizon, p->state, p->change, p->input, MOST_SIZE, MOST_INPUTS);
	}
	if (o->iterations < 0 || o->shares < 1 || !(o->cost_tolerance >= 0.0) || !(o->input_tolerance >= 0.0) ||
	    !(o->regularisation >= 0.0) || !(o->most_regularisation >= o->regularisation)) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, NULL,
		    "the options are %d iterations, %d shares, tolerances %g and %g, and regularisation %g up to %g; "
		    "none may be negative, and at least one share is required",
		    o->iterations, o->shares, o->cost_tolerance, o->input_tolerance, o->regularisation,
		    o->most_regularisation);
	}
	for (int i = 0; p->low && p->high && i < p->input; i++) {
		if (!(p->low[i] <= p->high[i])) {
			return abut_error_set(
			    error, ABUT_ERROR_ARGUMENT, NULL,
			    "the bounds of input %d are %g and %g; the lower one must not exceed the upper one", i,
			    p->low[i], p->high[i]);
		}
	}
	return ABUT_OK;
}

static bool allocate(Solver *s)
{
	const size_t N = (size_t)s->p->horizon, x = (size_t)s->p->state, n = (size_t)s->p->change,
	             m = (size_t)s->p->input;
	struct {
		double **at;
		size_t size;
	} parts[] = {{&s->missing, N}, {&s->A, N * n * n},    {&s->B, N * n * m}, {&s->d, N * m},  {&s->K, N * m * n},
	             {&s->value_x, n}, {&s->value_xx, n * n}, {&s->PA, n * n},    {&s->PB, n * m}, {&s->Qx, n},
	             {&s->Qu, m},      {&s->Qxx, n * n},      {&s->Quu, m * m},   {&s->Qux, m * n}};
	const size_t trial = (N + 1) * x + N * m + n;
	size_t total = (size_t)s->p->threads * trial;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		total += parts[i].size;
	}
	s->memory = calloc(total, sizeof *s->memory);
	double *next = s->memory;
	for (size_t i = 0; s->memory && i < sizeof parts / sizeof *parts; i++) {
		*parts[i].at = next;
		next += parts[i].size;
	}
	for (int i = 0; s->memory && i < s->p->threads; i++, next += trial) {
		s->trials[i] = (Trial){.x = next, .u = &next[(N + 1) * x], .deviation = &next[(N + 1) * x + N * m]};
	}
	return s->memory != NULL;
}

/* --- matrices --- */

/* Adds M' N to `out` (n x m), for M (k x n) and N (k x m). */
static void add_transposed_product(int k, int n, int m, const double *M, const double *N, double *out)
{
	for (int r = 0; r < k; r++) {
		for (int i = 0; i < n; i++) {
			const double factor = M[r * n + i];
			for (int j = 0; factor != 0.0 && j < m; j++) {
				out[i * m + j] += factor * N[r * m + j];
			}
		}
	}
}

static void symmetrise(int n, double *M)
{
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < i; j++) {
			M[n * i + j] = M[n * j + i] = 0.5 * (M[n * i + j] + M[n * j + i]);
		}
	}
}

/* --- backwards --- */

static void clear_expansion(Solver *s)
{
	const size_t n = (size_t)s->p->change, m = (size_t)s->p->input;
	memset(s->Qx, 0, n * sizeof(double));
	memset(s->Qu, 0, m * sizeof(double));
	memset(s->Qxx, 0, n * n * sizeof(double));
	memset(s->Quu, 0, m * m * sizeof(double));
	memset(s->Qux, 0, m * n * sizeof(double));
}

static void expand(Solver *s, int k)
{
	const AbutIlqrProblem *p = s->p;
	AbutIlqrExpansion at = {s->Qx, s->Qu, s->Qxx, s->Quu, s->Qux};
	clear_expansion(s);
	p->expand(p->cost_context, k, &s->x[(size_t)k * (size_t)p->state],
	          k < p->horizon ? &s->u[(size_t)k * (size_t)p->input] : NULL, &at);
}

/* Adds the value of all later steps to the expansion. */
static void add_value_to_go(Solver *s, const double *A, const double *B)
{
	const int n = s->p->change, m = s->p->input;
	memset(s->PA, 0, sizeof(double) * (size_t)n * (size_t)n);
	memset(s->PB, 0, sizeof(double) * (size_t)n * (size_t)m);
	add_transposed_product(n, n, n, s->value_xx, A, s->PA);
	add_transposed_product(n, n, m, s->value_xx, B, s->PB);
	add_transposed_product(n, n, 1, A, s->value_x, s->Qx);
	add_transposed_product(n, m, 1, B, s->value_x, s->Qu);
	add_transposed_product(n, n, n, A, s->PA, s->Qxx);
	add_transposed_product(n, m, m, B, s->PB, s->Quu);
	add_transposed_product(n, m, n, B, s->PA, s->Qux);
}

static double room(const double *bound, int i, double u, double without)
{
	return bound ? bound[i] - u : without;
}

/* Computes the change of the input at k and its gains. */
static bool minimise(Solver *s, int k)
{
	const int n = s->p->change, m = s->p->input;
	const double *u = &s->u[(size_t)k * (size_t)m];
	double *d = &s->d[(size_t)k * (size_t)m], *K = &s->K[(size_t)k * (size_t)m * (size_t)n];
	double H[MOST_INPUTS * MOST_INPUTS], factor[MOST_INPUTS * MOST_INPUTS], low[MOST_INPUTS], high[MOST_INPUTS];
	bool held[MOST_INPUTS];
	memcpy(H, s->Quu, sizeof(double) * (size_t)m * (size_t)m);
	for (int i = 0; i < m; i++) {
		H[m * i + i] += s->regularisation;
		low[i] = room(s->p->low, i, u[i], -INFINITY);
		high[i] = room(s->p->high, i, u[i], INFINITY);
	}
	const AbutBoxNewton least = {m, H, s->Qu, low, high};
	if (!abut_box_newton_solve(&least, d, held, factor)) {
		return false;
	}
	for (int i = 0; i < m; i++) {
		for (int j = 0; j < n; j++) {
			K[n * i + j] = held[i] ? 0.0 : -s->Qux[n * i + j];
		}
	}
	for (int j = 0; j < n; j++) {
		abut_cholesky_apply(m, factor, &K[j], n);
	}
	return true;
}

/* Computes the value of applying change and gains at k. */
static void take_value(Solver *s, int k)
{
	const int n = s->p->change, m = s->p->input;
	const double *d = &s->d[(size_t)k * (size_t)m], *K = &s->K[(size_t)k * (size_t)m * (size_t)n];
	double along[MOST_INPUTS]; /* Q_u + Q_uu d */
	double *GK = s->PB;        /* (m x n) Q_ux + Q_uu K */
	for (int i = 0; i < m; i++) {
		along[i] = s->Qu[i];
		for (int j = 0; j < m; j++) {
			along[i] += s->Quu[m * i + j] * d[j];
		}
		s->slope += s->Qu[i] * d[i];
		s->curvature += d[i] * (along[i] - s->Qu[i]);
	}
	memcpy(GK, s->Qux, sizeof(double) * (size_t)m * (size_t)n);
	add_transposed_product(m, m, n, s->Quu, K, GK);
	memcpy(s->value_x, s->Qx, sizeof(double) * (size_t)n);
	memcpy(s->value_xx, s->Qxx, sizeof(double) * (size_t)n * (size_t)n);
	add_transposed_product(m, n, 1, K, along, s->value_x);
	add_transposed_product(m, n, 1, s->Qux, d, s->value_x);
	add_transposed_product(m, n, n, K, GK, s->value_xx);
	add_transposed_product(m, n, n, s->Qux, K, s->value_xx);
	symmetrise(n, s->value_xx);
}

static bool sweep_backwards(Solver *s)
{
	const AbutIlqrProblem *p = s->p;
	const size_t n = (size_t)p->change, m = (size_t)p->input;
	s->slope = s->curvature = 0.0;
	expand(s, p->horizon);
	memcpy(s->value_x, s->Qx, n * sizeof(double));
	memcpy(s->value_xx, s->Qxx, n * n * sizeof(double));
	for (int k = p->horizon - 1; k >= 0; k--) {
		expand(s, k);
		add_value_to_go(s, &s->A[(size_t)k * n * n], &s->B[(size_t)k * n * m]);
		if (!minimise(s, k)) {
			return false;
		}
		take_value(s, k);
	}
	return true;
}

static double largest_change(const Solver *s)
{
	double largest = 0.0;
	for (size_t i = 0; i < (size_t)s->p->horizon * (size_t)s->p->input; i++) {
		largest = fmax(largest, fabs(s->d[i]));
	}
	return largest;
}

/* --- forwards --- */

static double within(const AbutIlqrProblem *p, int i, double u)
{
	u = p->low ? fmax(u, p->low[i]) : u;
	return p->high ? fmin(u, p->high[i]) : u;
}

/* Rolls out a trial. */
static void roll_out(const Solver *s, Trial *trial, void *context)
{
	const AbutIlqrProblem *p = s->p;
	const size_t state = (size_t)p->state, n = (size_t)p->change, m = (size_t)p->input;
	memcpy(trial->x, s->x, state * sizeof(double));
	trial->failed = false;
	trial->steps = 0;
	for (int k = 0; k < p->horizon && !trial->failed; k++) {
		const double *x = &trial->x[(size_t)k * state], *K = &s->K[(size_t)k * m * n];
		double *u = &trial->u[(size_t)k * m];
		p->difference(context, &s->x[(size_t)k * state], x, trial->deviation);
		for (size_t i = 0; trial->share > 0.0 && i < n; i++) {
			trial->failed = trial->failed || !isfinite(trial->deviation[i]);
		}
		for (size_t i = 0; i < m; i++) {
			double change = trial->share * s->d[(size_t)k * m + i];
			for (size_t j = 0; trial->share > 0.0 && j < n; j++) {
				change += K[i * n + j] * trial->deviation[j];
			}
			u[i] = within(p, (int)i, s->u[(size_t)k * m + i] + change);
		}
		trial->failed = trial->failed || !p->step(context, k, x, u, &trial->x[(size_t)(k + 1) * state]);
		trial->steps += !trial->failed;
	}
}

static void roll_out_item(void *context, int item, int thread)
{
	Solver *s = context;
	(void)thread;
	roll_out(s, &s->trials[item], s->p->contexts[item]);
}

/* Counts a trial and returns its cost; NaN if a step failed. */
static double examine(const Solver *s, const Trial *trial, AbutIlqrResult *out)
{
	const AbutIlqrProblem *p = s->p;
	const size_t state = (size_t)p->state, m = (size_t)p->input;
	double cost = 0.0;
	out->rollouts++;
	out->steps += trial->steps;
	out->unsolved += trial->failed;
	for (int k = 0; k <= p->horizon && !trial->failed; k++) {
		cost += p->cost(p->cost_context, k, &trial->x[(size_t)k * state],
		                k < p->horizon ? &trial->u[(size_t)k * m] : NULL);
	}
	return trial->failed ? (double)NAN : cost;
}

static void keep_trial(Solver *s, int index)
{
	const size_t N = (size_t)s->p->horizon;
	const Trial *trial = &s->trials[index];
	if (s->p->keep) {
		s->p->keep(s->p->contexts[index]);
	}
	memcpy(s->x, trial->x, (N + 1) * (size_t)s->p->state * sizeof(double));
	memcpy(s->u, trial->u, N * (size_t)s->p->input * sizeof(double));
}

/* Applies the largest fraction of the changes that lowers the cost. As many fractions as there are threads are rolled
 * out at once; those after the first that lowers the cost do not count. */
static bool search(Solver *s, int shares, AbutIlqrResult *out)
{
	double share = 1.0;
	for (int i = 0; i < shares; i += s->p->threads) {
		const int n = shares - i < s->p->threads ? shares - i : s->p->threads;
		for (int k = 0; k < n; k++, share *= 0.5) {
			s->trials[k].share = share;
		}
		abut_thread_pool_run(s->pool, n, roll_out_item, s);
		for (int k = 0; k < n; k++) {
			const double a = s->trials[k].share, foretold = a * s->slope + 0.5 * a * a * s->curvature;
			const double cost = examine(s, &s->trials[k], out);
			if (foretold < 0.0 && cost <= out->cost + enough * foretold) {
				keep_trial(s, k);
				out->cost = cost;
				return true;
			}
		}
	}
	return false;
}

/* --- iterations --- */

static void differentiate_item(void *context, int k, int thread)
{
	const Solver *s = context;
	const AbutIlqrProblem *p = s->p;
	const size_t state = (size_t)p->state, n = (size_t)p->change, m = (size_t)p->input;
	const bool done = p->differentiate(p->contexts[thread], k, &s->x[(size_t)k * state], &s->u[(size_t)k * m],
	                                   &s->A[(size_t)k * n * n], &s->B[(size_t)k * n * m]);
	s->missing[k] = done ? 0.0 : 1.0;
}

static bool differentiate(Solver *s)
{
	bool done = true;
	abut_thread_pool_run_one_by_one(s->pool, s->p->horizon, differentiate_item, s);
	for (int k = 0; k < s->p->horizon; k++) {
		done = done && s->missing[k] == 0.0;
	}
	return done;
}

/* Raises or lowers the regularisation. The factor grows as long as the direction stays the same. */
static void regularise(Solver *s, bool more)
{
	static const double factor = 1.6, least = 1e-9;
	s->growth = more ? fmax(factor, s->growth * factor) : fmin(1.0 / factor, s->growth / factor);
	s->regularisation *= s->growth;
	s->regularisation = more ? fmax(s->regularisation, least) : s->regularisation < least ? 0.0 : s->regularisation;
}

static AbutIlqrOutcome iterate(Solver *s, const AbutIlqrOptions *options, AbutIlqrResult *out)
{
	bool fresh = true; /* a trajectory that has not been differentiated */
	while (out->iterations < options->iterations) {
		const double before = out->cost;
		out->differentiated += fresh ? s->p->horizon : 0;
		if (fresh && !differentiate(s)) {
			return ABUT_ILQR_FAILED;
		}
		out->iterations++;
		fresh = false;
		if (sweep_backwards(s)) {
			if (largest_change(s) <= options->input_tolerance) {
				return ABUT_ILQR_CONVERGED;
			}
			fresh = search(s, options->shares, out);
		}
		regularise(s, !fresh);
		if (fresh && options->watch) {
			options->watch(options->context, out->iterations, out->cost, s->x, s->u);
		}
		if (fresh && before - out->cost <= options->cost_tolerance * fmax(fabs(before), 1.0)) {
			return ABUT_ILQR_CONVERGED;
		}
		if (s->regularisation > options->most_regularisation) {
			return ABUT_ILQR_STALLED;
		}
	}
	return ABUT_ILQR_ITERATIONS;
}

AbutStatus abut_ilqr_solve(const AbutIlqrProblem *problem, const AbutIlqrOptions *options, double *x, double *u,
                           AbutIlqrResult *out, AbutError *error)
{
	Solver solver = {.p = problem, .regularisation = options->regularisation, .growth = 1.0};
	*out = (AbutIlqrResult){.outcome = ABUT_ILQR_FAILED, .cost = NAN};
	ABUT_TRY(check(problem, options, error));
	solver.x = x;
	solver.u = u;
	if (!allocate(&solver)) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for a plan of %d steps",
		                      problem->horizon);
	}
	const AbutStatus status = abut_thread_pool_create(problem->threads, &solver.pool, error);
	if (status != ABUT_OK) {
		free(solver.memory);
		return status;
	}
	roll_out(&solver, &solver.trials[0], problem->contexts[0]);
	out->first_cost = out->cost = examine(&solver, &solver.trials[0], out);
	if (isfinite(out->cost)) {
		keep_trial(&solver, 0);
		if (options->watch) {
			options->watch(options->context, 0, out->cost, x, u);
		}
		out->outcome = iterate(&solver, options, out);
	}
	out->regularisation = solver.regularisation;
	abut_thread_pool_destroy(solver.pool);
	free(solver.memory);
	return ABUT_OK;
}
