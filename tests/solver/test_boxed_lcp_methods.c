/* Compares Dantzig's method, Lemke's method and sweeps with all index sets and with each other. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "boxed_problem.h"
#include "solver/lcp/dantzig.h"
#include "solver/lcp/lemke.h"
#include "solver/lcp/sweeps.h"

static const char *const names[] = {"dantzig", "lemke", "sweeps"};
enum { METHODS = sizeof names / sizeof *names };

/* Solves by this method alone, without its fallback. */
static void solve_alone(BoxedProblem *f, int method)
{
	if (method == ABUT_BOXED_DANTZIG) {
		abut_boxed_lcp_dantzig(&f->lcp, ABUT_BOXED_PASSES, &f->room, &f->report);
	} else if (method == ABUT_BOXED_LEMKE) {
		abut_boxed_lcp_lemke(&f->lcp, &f->room, &f->report);
	} else {
		abut_boxed_lcp_sweep(&f->lcp, &f->room, &f->report);
	}
}

/* Without friction w is unique for any rank, and every method finds it. */
Test(boxed_lcp_methods, find_what_enumeration_finds)
{
	BoxedProblem f;
	boxed_begin(&f);
	for (int seed = 0; seed < 400; seed++) {
		AbutRng rng = {(uint64_t)seed};
		const int n = 2 + seed % 5, rank = 1 + (seed / 5) % n;
		boxed_random_problem(&f, &rng, n, rank);
		for (int i = 0; i < n; i++) {
			if (abut_rng_uniform(&rng, 0.0, 1.0) < 0.5) {
				f.hi[i] = abut_rng_uniform(&rng, 0.0, 1.0);
				f.lo[i] = abut_rng_uniform(&rng, 0.0, 1.0) < 0.7 ? -f.hi[i] : -(double)INFINITY;
			}
		}
		for (int method = 0; method < METHODS; method++) {
			double nearest, furthest;
			solve_alone(&f, method);
			cr_assert_eq(f.report.status, ABUT_BOXED_SOLVED, "seed %d, %s: status %d, residual %g", seed,
			             names[method], (int)f.report.status, f.report.residual);
			cr_assert_lt(boxed_violation(&f, f.room.x), 1e-10, "seed %d, %s: violated by %g", seed,
			             names[method], boxed_violation(&f, f.room.x));
			cr_assert_gt(boxed_enumerate(&f, &nearest, &furthest), 0, "seed %d: nothing", seed);
			cr_assert_lt(furthest, 1e-6, "seed %d, %s: w differs by %g", seed, names[method], furthest);
		}
	}
	free(f.memory);
}

/* With friction there may be several solutions. A method finds one of them; if there is only one, all methods find it.
 * Lemke's method always finds one. */
Test(boxed_lcp_methods, find_one_of_those_with_friction)
{
	BoxedProblem f;
	int without[METHODS] = {0}, several = 0;
	boxed_begin(&f);
	for (int seed = 0; seed < 300; seed++) {
		AbutRng rng = {(uint64_t)seed};
		boxed_random_contacts(&f, &rng, 1 + seed % 2, abut_rng_uniform(&rng, 0.0, 2.0), false);
		for (int method = 0; method < METHODS; method++) {
			double nearest, furthest;
			solve_alone(&f, method);
			cr_assert(method != ABUT_BOXED_LEMKE || f.report.status == ABUT_BOXED_SOLVED,
			          "seed %d, lemke: status %d", seed, (int)f.report.status);
			if (f.report.status != ABUT_BOXED_SOLVED) {
				without[method]++;
				continue;
			}
			cr_assert_gt(boxed_enumerate(&f, &nearest, &furthest), 0, "seed %d: nothing", seed);
			cr_assert_lt(nearest, 1e-6, "seed %d, %s: w differs by %g", seed, names[method], nearest);
			several += furthest > 1e-6;
		}
	}
	cr_assert_lt(several, 60, "%d with several solutions", several);
	cr_assert(without[ABUT_BOXED_DANTZIG] <= 30 && without[ABUT_BOXED_SWEEPS] <= 30, "%d, %d without one",
	          without[ABUT_BOXED_DANTZIG], without[ABUT_BOXED_SWEEPS]);
	free(f.memory);
}

/* If Dantzig's method ends with friction bounded by impulses that are not its own, Lemke's finds a solution. There
 * always is one, because the matrix is copositive. */
Test(boxed_lcp_methods, lemke_stands_in_for_dantzig)
{
	BoxedProblem f;
	int stood_in = 0, lost = 0;
	boxed_begin(&f);
	for (int seed = 0; seed < 3000; seed++) {
		AbutRng rng = {(uint64_t)seed};
		boxed_random_contacts(&f, &rng, 1 + seed % 16, abut_rng_uniform(&rng, 2.0, 20.0), false);
		abut_boxed_lcp_solve(&f.lcp, ABUT_BOXED_DANTZIG, &f.room, &f.report);
		lost += f.report.status != ABUT_BOXED_SOLVED;
		stood_in += f.report.method == ABUT_BOXED_LEMKE;
		cr_assert(f.report.status != ABUT_BOXED_SOLVED || boxed_violation(&f, f.room.x) < 1e-9,
		          "seed %d: violated by %g", seed, boxed_violation(&f, f.room.x));
	}
	cr_assert_gt(stood_in, 10, "only %d", stood_in);
	cr_assert_eq(lost, 0, "%d of %d without a solution of their own", lost, stood_in + lost);
	free(f.memory);
}

/* Each method solves many points of one body by itself, coplanar or not. */
Test(boxed_lcp_methods, solve_many_points)
{
	BoxedProblem f;
	boxed_begin(&f);
	for (int method = ABUT_BOXED_LEMKE; method < METHODS; method++) {
		int without = 0;
		for (int seed = 0; seed < 1000; seed++) {
			AbutRng rng = {(uint64_t)seed};
			boxed_random_contacts(&f, &rng, 1 + seed % 16, abut_rng_uniform(&rng, 0.0, 1.0), seed % 3 > 0);
			solve_alone(&f, method);
			if (f.report.status != ABUT_BOXED_SOLVED) {
				without++;
				continue;
			}
			cr_assert_lt(boxed_violation(&f, f.room.x), 1e-7, "%s, seed %d: violated by %g", names[method],
			             seed, boxed_violation(&f, f.room.x));
		}
		cr_assert_leq(without, method == ABUT_BOXED_LEMKE ? 0 : 5, "%s: %d not solved", names[method], without);
	}
	free(f.memory);
}

/* A body on the four corners of a rectangle is pressed at its middle. Each corner carries a quarter with every method,
 * although three corners could carry it. */
Test(boxed_lcp_methods, share_what_is_carried)
{
	BoxedProblem f;
	boxed_begin(&f);
	static const double corner[4][2] = {{-1.0, -0.5}, {1.0, -0.5}, {1.0, 0.5}, {-1.0, 0.5}};
	AbutRng rng = {0};
	boxed_random_problem(&f, &rng, 4, 1);
	for (int i = 0; i < 4; i++) {
		f.b[i] = -1.0;
		for (int j = 0; j < 4; j++) {
			f.A[4 * i + j] = 1.0 + 2.0 * corner[i][0] * corner[j][0] + 3.0 * corner[i][1] * corner[j][1];
		}
	}
	for (int method = 0; method < METHODS; method++) {
		abut_boxed_lcp_solve(&f.lcp, (AbutBoxedMethod)method, &f.room, &f.report);
		cr_assert_eq((int)f.report.method, method);
		for (int i = 0; i < 4; i++) {
			cr_assert_float_eq(f.room.x[i], 0.25, 1e-7, "%s: x[%d] is %.15g", names[method], i,
			                   f.room.x[i]);
			cr_assert_eq(f.room.set[i], ABUT_BOXED_CLAMPED, "%s: row %d", names[method], i);
		}
	}
	free(f.memory);
}
