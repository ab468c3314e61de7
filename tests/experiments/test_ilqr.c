/* Compares iterative LQR with Riccati's recursion, bang-bang control, the conditions of a bounded optimum, and a search
 * of all active sets. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "experiments/ilqr/box_newton.h"
#include "experiments/ilqr/ilqr.h"

enum { CHANGE = 3, INPUT = 2, HORIZON = 20, LONG = 60 };

/* A linear system of up to CHANGE states and INPUT inputs. Its cost is 1/2 (x'Qx + u'Ru), and at the end 1/2 (x -
 * goal)' last (x - goal). With `pendulum`, a system that swings. */
typedef struct Plant {
	int n, m, horizon;
	double A[CHANGE * CHANGE], B[CHANGE * INPUT], Q, R, last, goal[CHANGE];
	bool pendulum;
	int fails_at; /* 0: none does */
	int watched;
	double costs[400];
	void *contexts[ABUT_ILQR_THREADS]; /* all this plant */
} Plant;

static const double pendulum_step = 0.1;

static bool step(void *context, int k, const double *x, const double *u, double *next)
{
	const Plant *p = context;
	if (p->pendulum) {
		next[1] = x[1] + pendulum_step * (u[0] - sin(x[0]));
		next[0] = x[0] + pendulum_step * next[1];
		return true;
	}
	for (int i = 0; i < p->n; i++) {
		next[i] = 0.0;
		for (int j = 0; j < p->n; j++) {
			next[i] += p->A[p->n * i + j] * x[j];
		}
		for (int j = 0; j < p->m; j++) {
			next[i] += p->B[p->m * i + j] * u[j];
		}
	}
	return p->fails_at == 0 || k + 1 != p->fails_at;
}

static bool differentiate(void *context, int k, const double *x, const double *u, double *A, double *B)
{
	const Plant *p = context;
	const double h = pendulum_step;
	(void)k;
	(void)u;
	if (p->pendulum) {
		memcpy(A, (const double[]){1.0 - h * h * cos(x[0]), h, -h * cos(x[0]), 1.0}, 4 * sizeof *A);
		memcpy(B, (const double[]){h * h, h}, 2 * sizeof *B);
		return true;
	}
	memcpy(A, p->A, sizeof(double) * (size_t)(p->n * p->n));
	memcpy(B, p->B, sizeof(double) * (size_t)(p->n * p->m));
	return true;
}

static void difference(void *context, const double *from, const double *to, double *change)
{
	const Plant *p = context;
	for (int i = 0; i < p->n; i++) {
		change[i] = to[i] - from[i];
	}
}

static double cost(void *context, int k, const double *x, const double *u)
{
	const Plant *p = context;
	const double weight = k < p->horizon ? p->Q : p->last;
	double sum = 0.0;
	for (int i = 0; i < p->n; i++) {
		const double error = x[i] - (k < p->horizon ? 0.0 : p->goal[i]);
		sum += 0.5 * weight * error * error;
	}
	for (int i = 0; u && i < p->m; i++) {
		sum += 0.5 * p->R * u[i] * u[i];
	}
	return sum;
}

static void expand(void *context, int k, const double *x, const double *u, AbutIlqrExpansion *out)
{
	const Plant *p = context;
	const double weight = k < p->horizon ? p->Q : p->last;
	for (int i = 0; i < p->n; i++) {
		out->x[i] = weight * (x[i] - (k < p->horizon ? 0.0 : p->goal[i]));
		out->xx[p->n * i + i] = weight;
	}
	for (int i = 0; u && i < p->m; i++) {
		out->u[i] = p->R * u[i];
		out->uu[p->m * i + i] = p->R;
	}
}

static void watch(void *context, int iteration, double value, const double *x, const double *u)
{
	Plant *p = context;
	cr_assert_eq(iteration == 0, p->watched == 0);
	(void)x;
	(void)u;
	cr_assert_lt(p->watched, 400);
	p->costs[p->watched++] = value;
}

static AbutIlqrProblem problem_of(Plant *p, const double *low, const double *high)
{
	for (int i = 0; i < ABUT_ILQR_THREADS; i++) {
		p->contexts[i] = p;
	}
	return (AbutIlqrProblem){.horizon = p->horizon,
	                         .state = p->n,
	                         .change = p->n,
	                         .input = p->m,
	                         .low = low,
	                         .high = high,
	                         .threads = 1,
	                         .contexts = p->contexts,
	                         .cost_context = p,
	                         .step = step,
	                         .differentiate = differentiate,
	                         .difference = difference,
	                         .cost = cost,
	                         .expand = expand};
}

static AbutIlqrResult solve(Plant *p, const AbutIlqrProblem *problem, AbutIlqrOptions options, double *x, double *u)
{
	AbutIlqrResult result;
	AbutError error = {.status = ABUT_OK};
	options.watch = watch;
	options.context = p;
	p->watched = 0;
	cr_assert_eq(abut_ilqr_solve(problem, &options, x, u, &result, &error), ABUT_OK, "%s", error.message);
	return result;
}

static void make_linear(Plant *p, unsigned long long seed)
{
	AbutRng rng = {seed};
	*p = (Plant){.n = CHANGE, .m = INPUT, .horizon = HORIZON, .Q = 1.0, .R = 0.3, .last = 4.0};
	for (int i = 0; i < CHANGE * CHANGE; i++) {
		p->A[i] = 0.6 * abut_rng_normal(&rng);
	}
	for (int i = 0; i < CHANGE * INPUT; i++) {
		p->B[i] = abut_rng_normal(&rng);
	}
}

/* Computes P <- Q + A'PA - A'PB (R + B'PB)^-1 B'PA, with the inverse of a 2 x 2 matrix by its determinant, and its
 * gains, u = -gain x. */
static void riccati(const Plant *p, double P[9], double gain[6])
{
	double PA[9], PB[6], S[4], BPA[6], next[9];
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			PA[3 * i + j] = P[3 * i] * p->A[j] + P[3 * i + 1] * p->A[3 + j] + P[3 * i + 2] * p->A[6 + j];
		}
		for (int j = 0; j < 2; j++) {
			PB[2 * i + j] = P[3 * i] * p->B[j] + P[3 * i + 1] * p->B[2 + j] + P[3 * i + 2] * p->B[4 + j];
		}
	}
	for (int i = 0; i < 2; i++) {
		for (int j = 0; j < 2; j++) {
			S[2 * i + j] =
			    (i == j ? p->R : 0.0) + p->B[i] * PB[j] + p->B[2 + i] * PB[2 + j] + p->B[4 + i] * PB[4 + j];
		}
		for (int j = 0; j < 3; j++) {
			BPA[3 * i + j] = p->B[i] * PA[j] + p->B[2 + i] * PA[3 + j] + p->B[4 + i] * PA[6 + j];
		}
	}
	const double determinant = S[0] * S[3] - S[1] * S[2];
	for (int j = 0; j < 3; j++) {
		gain[j] = (S[3] * BPA[j] - S[1] * BPA[3 + j]) / determinant;
		gain[3 + j] = (S[0] * BPA[3 + j] - S[2] * BPA[j]) / determinant;
	}
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			next[3 * i + j] = (i == j ? p->Q : 0.0) + p->A[i] * PA[j] + p->A[3 + i] * PA[3 + j] +
			                  p->A[6 + i] * PA[6 + j] - BPA[i] * gain[j] - BPA[3 + i] * gain[3 + j];
		}
	}
	memcpy(P, next, sizeof next);
}

/* A linear system needs one iteration. The second one finds nothing to change. */
Test(ilqr, is_riccati_of_a_linear_system)
{
	for (unsigned seed = 1; seed <= 20; seed++) {
		Plant p;
		double x[(HORIZON + 1) * CHANGE] = {1.0, -2.0, 0.5}, u[HORIZON * INPUT] = {0.0}, gains[HORIZON][6];
		double P[9] = {0.0}, at[3] = {1.0, -2.0, 0.5}, least = 0.0;
		make_linear(&p, seed);
		const AbutIlqrProblem problem = problem_of(&p, NULL, NULL);
		AbutIlqrOptions options = abut_ilqr_options_default();
		options.regularisation = 0.0;
		const AbutIlqrResult result = solve(&p, &problem, options, x, u);
		for (int i = 0; i < 3; i++) {
			P[4 * i] = p.last;
		}
		for (int k = HORIZON - 1; k >= 0; k--) {
			riccati(&p, P, gains[k]);
		}
		for (int i = 0; i < 9; i++) {
			least += 0.5 * at[i / 3] * P[i] * at[i % 3];
		}
		cr_expect_eq(result.outcome, ABUT_ILQR_CONVERGED);
		cr_expect_leq(result.iterations, 2, "seed %u: %d iterations", seed, result.iterations);
		cr_expect_float_eq(result.cost, least, 1e-9 * least, "seed %u: %.15g, by Riccati %.15g", seed,
		                   result.cost, least);
		for (int k = 0; k < HORIZON; k++) {
			double next[3];
			for (int i = 0; i < 2; i++) {
				const double best = -(gains[k][3 * i] * at[0] + gains[k][3 * i + 1] * at[1] +
				                      gains[k][3 * i + 2] * at[2]);
				cr_expect_float_eq(u[2 * k + i], best, 1e-8, "seed %u, k %d: %g, by Riccati %g", seed,
				                   k, u[2 * k + i], best);
			}
			step(&p, k, at, &u[2 * k], next);
			memcpy(at, next, sizeof at);
		}
	}
}

static Plant double_integrator(int horizon, double h)
{
	Plant p = {.n = 2, .m = 1, .horizon = horizon};
	memcpy(p.A, (const double[]){1.0, h, 0.0, 1.0}, 4 * sizeof(double));
	memcpy(p.B, (const double[]){0.5 * h * h, h}, 2 * sizeof(double));
	return p;
}

/* The furthest goal of bounded inputs from rest to rest is n^2 h^2 / 4. Only full acceleration followed by full braking
 * reaches it. */
Test(ilqr, brakes_halfway_to_the_furthest_goal)
{
	enum { N = 20 };
	static const double low = -1.0, high = 1.0, h = 0.1;
	Plant p = double_integrator(N, h);
	double x[(N + 1) * 2] = {0.0}, u[N] = {0.0};
	p.last = 1e3;
	p.R = 1e-7;
	p.goal[0] = 0.25 * N * N * h * h;
	const AbutIlqrProblem problem = problem_of(&p, &low, &high);
	AbutIlqrOptions options = abut_ilqr_options_default();
	options.cost_tolerance = 0.0;
	options.iterations = 500;
	solve(&p, &problem, options, x, u);
	for (int k = 0; k < N; k++) {
		cr_expect_float_eq(u[k], k < N / 2 ? high : low, 1e-3, "input %d is %g", k, u[k]);
	}
	cr_expect_float_eq(x[2 * N], p.goal[0], 1e-3);
}

/* For a convex problem the conditions of an optimum are sufficient. The derivative of the cost by the inputs, computed
 * through the adjoint states, is zero where inputs are free, and points into the bound elsewhere. */
Test(ilqr, meets_the_conditions_of_a_bounded_optimum)
{
	int held = 0, free = 0;
	for (unsigned seed = 1; seed <= 20; seed++) {
		static const double low[INPUT] = {-0.3, -0.2}, high[INPUT] = {0.25, 0.4};
		Plant p;
		double x[(HORIZON + 1) * CHANGE] = {1.0, -2.0, 0.5}, u[HORIZON * INPUT] = {0.0}, adjoint[CHANGE];
		make_linear(&p, seed);
		const AbutIlqrProblem problem = problem_of(&p, low, high);
		AbutIlqrOptions options = abut_ilqr_options_default();
		options.cost_tolerance = 0.0;
		const AbutIlqrResult result = solve(&p, &problem, options, x, u);
		for (int i = 0; i < CHANGE; i++) {
			adjoint[i] = p.last * x[HORIZON * CHANGE + i];
		}
		for (int k = HORIZON - 1; k >= 0; k--) {
			double before[CHANGE];
			for (int i = 0; i < INPUT; i++) {
				const double at = u[INPUT * k + i];
				double slope = p.R * at;
				for (int j = 0; j < CHANGE; j++) {
					slope += p.B[INPUT * j + i] * adjoint[j];
				}
				const bool is_low = at <= low[i], is_high = at >= high[i];
				cr_expect_geq(at, low[i]);
				cr_expect_leq(at, high[i]);
				cr_expect(is_low    ? slope >= -1e-6
				          : is_high ? slope <= 1e-6
				                    : fabs(slope) < 1e-6,
				          "seed %u, input %d at %d is %g with slope %g; outcome %d", seed, i, k, at,
				          slope, (int)result.outcome);
				held += is_low || is_high;
				free += !is_low && !is_high;
			}
			for (int i = 0; i < CHANGE; i++) {
				before[i] = p.Q * x[CHANGE * k + i];
				for (int j = 0; j < CHANGE; j++) {
					before[i] += p.A[CHANGE * j + i] * adjoint[j];
				}
			}
			memcpy(adjoint, before, sizeof adjoint);
		}
	}
	cr_expect(held > 100 && free > 100, "%d held, %d free", held, free);
}

/* A pendulum of weight 1 has a motor of 0.6, which cannot hold it beyond 0.64 rad: it has to swing. */
Test(ilqr, lowers_the_cost_of_a_swing_up_each_time)
{
	static const double low = -0.6, high = 0.6;
	Plant p = {.n = 2, .m = 1, .horizon = LONG, .R = 0.01, .last = 100.0, .goal = {3.14159265358979, 0.0}};
	double x[(LONG + 1) * 2] = {0.0}, u[LONG], again[2] = {0.0}, sum = 0.0;
	p.pendulum = true;
	for (int k = 0; k < LONG; k++) {
		u[k] = 0.1 * sin(0.1 * k);
	}
	const AbutIlqrProblem problem = problem_of(&p, &low, &high);
	const AbutIlqrResult result = solve(&p, &problem, abut_ilqr_options_default(), x, u);
	cr_assert_gt(p.watched, 3);
	for (int i = 1; i < p.watched; i++) {
		cr_expect_lt(p.costs[i], p.costs[i - 1], "iteration %d: %g after %g", i, p.costs[i], p.costs[i - 1]);
	}
	for (int k = 0; k < LONG; k++) {
		double next[2];
		cr_expect(u[k] >= low && u[k] <= high);
		sum += cost(&p, k, again, &u[k]);
		step(&p, k, again, &u[k], next);
		memcpy(again, next, sizeof again);
	}
	sum += cost(&p, LONG, again, NULL);
	cr_expect_eq(result.cost, sum);
	cr_expect_float_eq(x[2 * LONG], p.goal[0], 0.5, "ends at %g, outcome %d", x[2 * LONG], (int)result.outcome);
}

Test(ilqr, says_that_a_step_fails)
{
	Plant p;
	double x[(HORIZON + 1) * CHANGE] = {1.0}, u[HORIZON * INPUT] = {0.0};
	make_linear(&p, 1);
	p.fails_at = 7;
	const AbutIlqrProblem problem = problem_of(&p, NULL, NULL);
	const AbutIlqrResult result = solve(&p, &problem, abut_ilqr_options_default(), x, u);
	cr_expect_eq(result.outcome, ABUT_ILQR_FAILED);
	cr_expect_eq(p.watched, 0);
}

Test(ilqr, refuses_what_it_cannot)
{
	static const double low[INPUT] = {1.0, 0.0}, high[INPUT] = {0.0, 0.0};
	Plant p;
	double x[(HORIZON + 1) * CHANGE] = {1.0}, u[HORIZON * INPUT] = {0.0};
	AbutIlqrResult result;
	AbutIlqrOptions options = abut_ilqr_options_default();
	make_linear(&p, 1);
	AbutIlqrProblem problem = problem_of(&p, low, high);
	cr_expect_eq(abut_ilqr_solve(&problem, &options, x, u, &result, NULL), ABUT_ERROR_ARGUMENT);
	problem = problem_of(&p, NULL, NULL);
	problem.input = ABUT_BOX_NEWTON_MOST + 1;
	cr_expect_eq(abut_ilqr_solve(&problem, &options, x, u, &result, NULL), ABUT_ERROR_ARGUMENT);
	problem.input = INPUT;
	options.regularisation = -1.0;
	cr_expect_eq(abut_ilqr_solve(&problem, &options, x, u, &result, NULL), ABUT_ERROR_ARGUMENT);
}

/* --- the quadratic within bounds --- */

enum { BOX = 3, SETS = 27 };

static double value_of(const double *H, const double *g, const double *d)
{
	double value = 0.0;
	for (int i = 0; i < BOX; i++) {
		value += g[i] * d[i];
		for (int j = 0; j < BOX; j++) {
			value += 0.5 * d[i] * H[BOX * i + j] * d[j];
		}
	}
	return value;
}

/* Returns the smallest value over all choices of low, free and high coordinates. Free ones are found by Gauss-Seidel,
 * which converges for positive definite H. */
static double least_of_sets(const AbutBoxNewton *p)
{
	double least = INFINITY;
	for (int set = 0; set < SETS; set++) {
		const int kind[BOX] = {set % 3, set / 3 % 3, set / 9};
		double d[BOX] = {0.0};
		bool inside = true;
		for (int sweep = 0; sweep < 4000; sweep++) {
			for (int i = 0; i < BOX; i++) {
				double rest = p->g[i];
				for (int j = 0; j < BOX; j++) {
					rest += j == i ? 0.0 : p->H[BOX * i + j] * d[j];
				}
				d[i] = kind[i] == 0 ? p->low[i] : kind[i] == 1 ? p->high[i] : -rest / p->H[4 * i];
			}
		}
		for (int i = 0; i < BOX; i++) {
			inside = inside && d[i] >= p->low[i] - 1e-12 && d[i] <= p->high[i] + 1e-12;
		}
		least = inside ? fmin(least, value_of(p->H, p->g, d)) : least;
	}
	return least;
}

Test(box_newton, is_the_best_of_all_active_sets)
{
	for (unsigned seed = 1; seed <= 200; seed++) {
		AbutRng rng = {seed};
		double G[BOX * BOX], H[BOX * BOX], g[BOX], low[BOX], high[BOX], d[BOX], factor[BOX * BOX];
		bool held[BOX];
		for (int i = 0; i < BOX; i++) {
			g[i] = abut_rng_normal(&rng);
			low[i] = abut_rng_uniform(&rng, -1.0, 0.0);
			high[i] = abut_rng_uniform(&rng, 0.0, 1.0);
			for (int j = 0; j < BOX; j++) {
				G[BOX * i + j] = abut_rng_normal(&rng);
			}
		}
		for (int i = 0; i < BOX * BOX; i++) {
			H[i] = i % 4 == 0 ? 0.1 : 0.0;
			for (int k = 0; k < BOX; k++) {
				H[i] += G[BOX * (i / BOX) + k] * G[BOX * (i % BOX) + k];
			}
		}
		const AbutBoxNewton problem = {BOX, H, g, low, high};
		cr_assert(abut_box_newton_solve(&problem, d, held, factor));
		const double least = least_of_sets(&problem);
		cr_expect_float_eq(value_of(H, g, d), least, 1e-9, "seed %u: %.12g, of all sets %.12g", seed,
		                   value_of(H, g, d), least);
	}
}

Test(box_newton, wants_a_positive_definite_block)
{
	static const double H[4] = {1.0, 2.0, 2.0, 1.0}, g[2] = {0.0, 0.0}, low[2] = {-1.0, -1.0}, high[2] = {1.0, 1.0};
	double d[2], factor[4];
	bool held[2];
	cr_expect(!abut_box_newton_solve(&(AbutBoxNewton){2, H, g, low, high}, d, held, factor));
}
