/* Compares solutions of Dantzig's method with the conditions of the problem; test_boxed_lcp_methods.c compares them
 * with all index sets. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "boxed_problem.h"
#include "solver/lcp/dantzig.h"

Test(boxed_lcp, bounds_friction_by_its_own_normal_impulse)
{
	BoxedProblem f;
	int frozen[2] = {0, 0}, runs[2] = {0, 0};
	boxed_begin(&f);
	for (int seed = 0; seed < 3000; seed++) {
		AbutRng rng = {(uint64_t)seed};
		const int n_points = 1 + seed % 16, plane = seed % 3 > 0;
		boxed_random_contacts(&f, &rng, n_points, abut_rng_uniform(&rng, 0.0, 1.0), plane);
		abut_boxed_lcp_dantzig(&f.lcp, ABUT_BOXED_PASSES, &f.room, &f.report);
		cr_assert(f.report.status == ABUT_BOXED_SOLVED || f.report.status == ABUT_BOXED_FROZEN,
		          "seed %d, %d points: status %d after %d pivots, residual %g", seed, n_points,
		          (int)f.report.status, f.report.pivots, f.report.residual);
		runs[plane]++;
		if (f.report.status == ABUT_BOXED_FROZEN) {
			frozen[plane]++;
			continue;
		}
		cr_assert_lt(boxed_violation(&f, f.room.x), 1e-9, "seed %d: violated by %g", seed,
		             boxed_violation(&f, f.room.x));
	}
	cr_assert_eq(frozen[1], 0, "on a plane %d of %d frozen", frozen[1], runs[1]);
	cr_assert_lt(30 * frozen[0], runs[0], "%d of %d frozen", frozen[0], runs[0]);
	free(f.memory);
}

/* Checks x and w by their set, for every status. The friction is so large that many problems have no solution with
 * dependent bounds. */
Test(boxed_lcp, sets_are_those_of_x)
{
	BoxedProblem f;
	int frozen = 0;
	boxed_begin(&f);
	for (int seed = 0; seed < 3000; seed++) {
		AbutRng rng = {(uint64_t)seed};
		boxed_random_contacts(&f, &rng, 1 + seed % 16, abut_rng_uniform(&rng, 2.0, 20.0), false);
		abut_boxed_lcp_dantzig(&f.lcp, ABUT_BOXED_PASSES, &f.room, &f.report);
		const double zero = 1e-6 * abut_boxed_lcp_scale(&f.lcp);
		for (int i = 0; i < f.lcp.n; i++) {
			cr_assert(f.room.set[i] != ABUT_BOXED_CLAMPED || fabs(f.room.w[i]) <= zero,
			          "seed %d, status %d: w[%d] of a clamped row is %g", seed, (int)f.report.status, i,
			          f.room.w[i]);
			cr_assert(f.room.set[i] == ABUT_BOXED_CLAMPED || f.friction[i] >= 0 || f.room.x[i] == 0.0,
			          "seed %d, status %d: x[%d] at its bound is %g", seed, (int)f.report.status, i,
			          f.room.x[i]);
		}
		frozen += f.report.status == ABUT_BOXED_FROZEN;
	}
	cr_assert_gt(frozen, 10, "only %d frozen", frozen);
	free(f.memory);
}

/* Starts from the sets of the solution or from any others. With fixed bounds w is unique, and of all x the result is
 * that of least effort. Starting from the sets of the solution, no row changes. */
Test(boxed_lcp, any_guess_leads_to_the_same)
{
	BoxedProblem f;
	long from_nothing = 0, from_solution = 0;
	boxed_begin(&f);
	for (int seed = 0; seed < 1000; seed++) {
		AbutRng rng = {(uint64_t)seed};
		AbutBoxedSet own[BOXED_ROWS], any[BOXED_ROWS];
		double x[BOXED_ROWS], w[BOXED_ROWS];
		boxed_random_contacts(&f, &rng, 1 + seed % 16, abut_rng_uniform(&rng, 0.0, 1.0), seed % 3 > 0);
		const double zero = 1e-8 * abut_boxed_lcp_scale(&f.lcp);
		abut_boxed_lcp_dantzig(&f.lcp, 1, &f.room, &f.report);
		cr_assert_eq(f.report.status, ABUT_BOXED_FROZEN, "seed %d", seed);
		from_nothing += f.report.pivots;
		for (int i = 0; i < f.lcp.n; i++) {
			x[i] = f.room.x[i];
			w[i] = f.room.w[i];
			own[i] = f.room.set[i];
			any[i] = (AbutBoxedSet)(abut_rng_uniform(&rng, 0.0, 4.0));
		}
		for (int guess = 0; guess < 2; guess++) {
			f.lcp.guess = guess == 0 ? own : any;
			abut_boxed_lcp_dantzig(&f.lcp, 1, &f.room, &f.report);
			from_solution += guess == 0 ? f.report.pivots : 0;
			for (int i = 0; i < f.lcp.n; i++) {
				cr_assert_float_eq(f.room.w[i], w[i], zero, "seed %d, guess %d: w[%d] %g, not %g", seed,
				                   guess, i, f.room.w[i], w[i]);
				cr_assert_float_eq(f.room.x[i], x[i], 1e-5, "seed %d, guess %d: x[%d] %g, not %g", seed,
				                   guess, i, f.room.x[i], x[i]);
			}
		}
	}
	cr_assert_lt(2 * from_solution, from_nothing, "%ld changes from the solution's sets, %ld from none",
	             from_solution, from_nothing);
	free(f.memory);
}

/* One pass is ODE's law: friction is bounded by the normal impulses of the frictionless problem. */
Test(boxed_lcp, one_pass_takes_its_bounds_from_the_frictionless_problem)
{
	BoxedProblem f;
	boxed_begin(&f);
	for (int seed = 0; seed < 100; seed++) {
		AbutRng rng = {(uint64_t)seed};
		double bound[BOXED_ROWS];
		boxed_random_contacts(&f, &rng, 1 + seed % 6, 0.4, seed % 2 > 0);
		for (int i = 0; i < f.lcp.n; i++) {
			f.hi[i] = f.friction[i] >= 0 ? 0.0 : f.hi[i];
		}
		abut_boxed_lcp_dantzig(&f.lcp, 1, &f.room, &f.report);
		for (int i = 0; i < f.lcp.n; i++) {
			bound[i] = f.friction[i] >= 0 ? 0.4 * f.room.x[f.friction[i]] : (double)INFINITY;
			f.hi[i] = f.friction[i] >= 0 ? 0.4 : f.hi[i];
		}
		abut_boxed_lcp_dantzig(&f.lcp, 1, &f.room, &f.report);
		cr_assert_eq(f.report.status, ABUT_BOXED_FROZEN, "seed %d", seed);
		cr_assert_eq(f.report.passes, 1);
		for (int i = 0; i < f.lcp.n; i++) {
			f.lo[i] = f.friction[i] >= 0 ? -bound[i] : 0.0;
			f.hi[i] = bound[i];
			f.friction[i] = -1;
		}
		cr_assert_lt(boxed_violation(&f, f.room.x), 1e-9, "seed %d: violated by %g", seed,
		             boxed_violation(&f, f.room.x));
	}
	free(f.memory);
}

/* Two equal rows that require different upward velocities: the larger one holds. */
Test(boxed_lcp, rows_that_are_the_same)
{
	BoxedProblem f;
	boxed_begin(&f);
	AbutRng rng = {0};
	boxed_random_problem(&f, &rng, 2, 1);
	f.A[0] = f.A[1] = f.A[2] = f.A[3] = 2.0;
	f.b[0] = -1.0;
	f.b[1] = -3.0;
	abut_boxed_lcp_dantzig(&f.lcp, ABUT_BOXED_PASSES, &f.room, &f.report);
	cr_assert_eq(f.report.status, ABUT_BOXED_SOLVED);
	cr_assert_float_eq(f.room.x[0], 0.0, 1e-15);
	cr_assert_float_eq(f.room.x[1], 1.5, 1e-15);
	cr_assert_float_eq(f.room.w[0], 2.0, 1e-15);
	free(f.memory);
}

Test(boxed_lcp, says_what_cannot_be)
{
	BoxedProblem f;
	boxed_begin(&f);
	AbutRng rng = {0};
	boxed_random_problem(&f, &rng, 2, 1);
	f.A[0] = f.A[3] = 1.0; /* pressed from both sides */
	f.A[1] = f.A[2] = -1.0;
	f.b[0] = f.b[1] = -1.0;
	abut_boxed_lcp_solve(&f.lcp, ABUT_BOXED_DANTZIG, &f.room, &f.report);
	cr_assert_eq(f.report.status, ABUT_BOXED_FAILED);
	cr_assert(f.room.x[0] == 0.0 && f.room.x[1] == 0.0);
	cr_assert(f.room.set[0] == ABUT_BOXED_IDLE && f.room.set[1] == ABUT_BOXED_IDLE);
	f.b[0] = (double)NAN;
	abut_boxed_lcp_solve(&f.lcp, ABUT_BOXED_DANTZIG, &f.room, &f.report);
	cr_assert_eq(f.report.status, ABUT_BOXED_FAILED);
	cr_assert(f.room.x[0] == 0.0 && f.room.x[1] == 0.0);
	free(f.memory);
}
