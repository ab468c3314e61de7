/* Dantzig's method against all index sets, and its solutions against the conditions that they are to fulfil. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "base/lapack.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "solver/boxed_lcp.h"

enum { N = 48 };

typedef struct Fixture {
	AbutBoxedLcp lcp;
	double A[N * N], b[N], lo[N], hi[N];
	int friction[N];
	AbutBoxedRoom room;
	AbutBoxedReport report;
	void *memory;
} Fixture;

static void begin(Fixture *f)
{
	AbutArena arena = {.base = NULL};
	*f = (Fixture){.memory = NULL};
	abut_boxed_lcp_carve(&f->room, N, &arena);
	f->memory = malloc(arena.used + ABUT_ARENA_ALIGNMENT);
	cr_assert_not_null(f->memory);
	abut_arena_begin(&arena, f->memory);
	abut_boxed_lcp_carve(&f->room, N, &arena);
}

/* A = J J' of rank at most `rank`, b = J v: what contacts have, and so never infeasible. */
static void random_problem(Fixture *f, AbutRng *rng, int n, int rank)
{
	double J[N][N], v[N];
	for (int k = 0; k < rank; k++) {
		v[k] = abut_rng_normal(rng);
	}
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < rank; k++) {
			J[i][k] = abut_rng_normal(rng);
		}
	}
	for (int i = 0; i < n; i++) {
		f->b[i] = 0.0;
		for (int k = 0; k < rank; k++) {
			f->b[i] += J[i][k] * v[k];
		}
		for (int j = 0; j < n; j++) {
			f->A[n * i + j] = 0.0;
			for (int k = 0; k < rank; k++) {
				f->A[n * i + j] += J[i][k] * J[j][k];
			}
		}
		f->lo[i] = 0.0;
		f->hi[i] = (double)INFINITY;
		f->friction[i] = -1;
	}
	f->lcp = (AbutBoxedLcp){n, f->A, f->b, f->lo, f->hi, f->friction};
}

/* The conditions, from A, b and the bounds alone. */
static double violation(const Fixture *f, const double *x)
{
	double worst = 0.0;
	for (int i = 0; i < f->lcp.n; i++) {
		double w = f->b[i];
		for (int j = 0; j < f->lcp.n; j++) {
			w += f->A[f->lcp.n * i + j] * x[j];
		}
		const int j = f->friction[i];
		const double hi = j >= 0 ? f->hi[i] * x[j] : f->hi[i], lo = j >= 0 ? -hi : f->lo[i];
		worst = fmax(worst, fmax(lo - x[i], x[i] - hi));
		worst = fmax(worst, fmin(fmax(w, 0.0), x[i] - lo)); /* w > 0 only at the lower bound */
		worst = fmax(worst, fmin(fmax(-w, 0.0), hi - x[i]));
	}
	return worst;
}

/* All w that solve the problem, of which `known` is one: every index is at a bound or has w = 0. Returns how many index
 * sets with A_CC regular give a solution, and the largest difference of their w from the known one. */
static int enumerate(const Fixture *f, double *difference)
{
	const int n = f->lcp.n;
	int sets = 1, found = 0;
	for (int i = 0; i < n; i++) {
		sets *= 3;
	}
	*difference = 0.0;
	for (int code = 0; code < sets; code++) {
		double K[N * N], right[N], x[N];
		int clamped[N], pivots[N], m = 0, rest = code;
		bool possible = true;
		for (int i = 0; i < n; i++, rest /= 3) {
			x[i] = rest % 3 == 1 ? f->lo[i] : rest % 3 == 2 ? f->hi[i] : 0.0;
			possible = possible && isfinite(x[i]);
			if (rest % 3 == 0) {
				clamped[m++] = i;
			}
		}
		for (int r = 0; possible && r < m; r++) {
			right[r] = -f->b[clamped[r]];
			for (int j = 0; j < n; j++) {
				right[r] -= f->A[n * clamped[r] + j] * x[j];
			}
			for (int k = 0; k < m; k++) {
				K[m * k + r] = f->A[n * clamped[r] + clamped[k]];
			}
		}
		if (!possible || (m > 0 && !abut_lapack_solve(m, K, pivots, 1, right))) {
			continue;
		}
		for (int k = 0; k < m; k++) {
			x[clamped[k]] = right[k];
		}
		if (violation(f, x) > 1e-7) {
			continue;
		}
		found++;
		for (int i = 0; i < n; i++) {
			double w = f->b[i];
			for (int j = 0; j < n; j++) {
				w += f->A[n * i + j] * x[j];
			}
			*difference = fmax(*difference, fabs(w - f->room.w[i]));
		}
	}
	return found;
}

/* Without friction w is unique, whatever the rank. */
Test(boxed_lcp, finds_what_enumeration_finds)
{
	Fixture f;
	begin(&f);
	for (int seed = 0; seed < 400; seed++) {
		AbutRng rng = {(uint64_t)seed};
		const int n = 2 + seed % 5, rank = 1 + (seed / 5) % n;
		random_problem(&f, &rng, n, rank);
		for (int i = 0; i < n; i++) {
			if (abut_rng_uniform(&rng, 0.0, 1.0) < 0.5) {
				f.hi[i] = abut_rng_uniform(&rng, 0.0, 1.0);
				f.lo[i] = abut_rng_uniform(&rng, 0.0, 1.0) < 0.7 ? -f.hi[i] : -(double)INFINITY;
			}
		}
		abut_boxed_lcp_solve(&f.lcp, ABUT_BOXED_PASSES, &f.room, &f.report);
		cr_assert_eq(f.report.status, ABUT_BOXED_SOLVED, "seed %d: status %d", seed, (int)f.report.status);
		cr_assert_lt(violation(&f, f.room.x), 1e-10, "seed %d: violated by %g", seed, violation(&f, f.room.x));
		double difference;
		cr_assert_gt(enumerate(&f, &difference), 0, "seed %d: enumeration finds nothing", seed);
		cr_assert_lt(difference, 1e-6, "seed %d: w differs by %g", seed, difference);
	}
	free(f.memory);
}

/* Contacts of one rigid body: many points, rank 6, friction of two directions each. Rows by `shuffled` order. */
static void random_contacts(Fixture *f, AbutRng *rng, int n_points, double mu, bool on_a_plane)
{
	double J[N][6], v[6];
	const int n = 3 * n_points;
	for (int k = 0; k < 6; k++) {
		v[k] = abut_rng_normal(rng);
	}
	v[2] = -1.0;
	for (int c = 0; c < n_points; c++) {
		const double p[3] = {abut_rng_uniform(rng, -1.0, 1.0), abut_rng_uniform(rng, -1.0, 1.0),
		                     on_a_plane ? -0.5 : abut_rng_uniform(rng, -1.0, 1.0)};
		double q[4] = {1.0, 0.0, 0.0, 0.0}, R[9];
		if (!on_a_plane) {
			abut_rng_rotation(rng, q);
		}
		abut_quat_to_mat3(q, R);
		for (int k = 0; k < 3; k++) {
			const int row = 3 * c + k, axis = (k + 2) % 3; /* the normal, z, first */
			const double u[3] = {R[axis], R[3 + axis], R[6 + axis]};
			abut_copy3(u, J[row]);
			abut_cross3(p, u, &J[row][3]);
			f->friction[row] = k == 0 ? -1 : 3 * c;
			f->lo[row] = 0.0;
			f->hi[row] = k == 0 ? (double)INFINITY : mu;
		}
	}
	for (int i = 0; i < n; i++) {
		f->b[i] = 0.0;
		for (int k = 0; k < 6; k++) {
			f->b[i] += J[i][k] * v[k];
		}
		for (int j = 0; j < n; j++) {
			f->A[n * i + j] = 0.0;
			for (int k = 0; k < 6; k++) {
				f->A[n * i + j] += J[i][k] * J[j][k] * (k < 3 ? 1.0 : 6.0);
			}
		}
	}
	f->lcp = (AbutBoxedLcp){n, f->A, f->b, f->lo, f->hi, f->friction};
}

Test(boxed_lcp, bounds_friction_by_its_own_normal_impulse)
{
	Fixture f;
	int frozen[2] = {0, 0}, runs[2] = {0, 0};
	begin(&f);
	for (int seed = 0; seed < 3000; seed++) {
		AbutRng rng = {(uint64_t)seed};
		const int n_points = 1 + seed % 16, plane = seed % 3 > 0;
		random_contacts(&f, &rng, n_points, abut_rng_uniform(&rng, 0.0, 1.0), plane);
		abut_boxed_lcp_solve(&f.lcp, ABUT_BOXED_PASSES, &f.room, &f.report);
		cr_assert(f.report.status == ABUT_BOXED_SOLVED || f.report.status == ABUT_BOXED_FROZEN,
		          "seed %d, %d points: status %d after %d pivots, residual %g", seed, n_points,
		          (int)f.report.status, f.report.pivots, f.report.residual);
		runs[plane]++;
		if (f.report.status == ABUT_BOXED_FROZEN) {
			frozen[plane]++;
			continue;
		}
		cr_assert_lt(violation(&f, f.room.x), 1e-9, "seed %d: violated by %g", seed, violation(&f, f.room.x));
	}
	cr_assert_eq(frozen[1], 0, "on a plane %d of %d frozen", frozen[1], runs[1]);
	cr_assert_lt(30 * frozen[0], runs[0], "%d of %d frozen", frozen[0], runs[0]);
	free(f.memory);
}

/* What the set says of x and w, whatever the status, at friction up to where many problems have no solution with bounds
 * of its own. */
Test(boxed_lcp, sets_are_those_of_x)
{
	Fixture f;
	int frozen = 0;
	begin(&f);
	for (int seed = 0; seed < 3000; seed++) {
		AbutRng rng = {(uint64_t)seed};
		random_contacts(&f, &rng, 1 + seed % 16, abut_rng_uniform(&rng, 0.0, 2.0), false);
		abut_boxed_lcp_solve(&f.lcp, ABUT_BOXED_PASSES, &f.room, &f.report);
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
	cr_assert_gt(frozen, 30, "only %d frozen", frozen);
	free(f.memory);
}

/* One pass is ODE's law: friction bounded by the normal impulses of the problem without friction. */
Test(boxed_lcp, one_pass_takes_its_bounds_from_the_frictionless_problem)
{
	Fixture f;
	begin(&f);
	for (int seed = 0; seed < 100; seed++) {
		AbutRng rng = {(uint64_t)seed};
		double bound[N];
		random_contacts(&f, &rng, 1 + seed % 6, 0.4, seed % 2 > 0);
		for (int i = 0; i < f.lcp.n; i++) {
			f.hi[i] = f.friction[i] >= 0 ? 0.0 : f.hi[i];
		}
		abut_boxed_lcp_solve(&f.lcp, 1, &f.room, &f.report);
		for (int i = 0; i < f.lcp.n; i++) {
			bound[i] = f.friction[i] >= 0 ? 0.4 * f.room.x[f.friction[i]] : (double)INFINITY;
			f.hi[i] = f.friction[i] >= 0 ? 0.4 : f.hi[i];
		}
		abut_boxed_lcp_solve(&f.lcp, 1, &f.room, &f.report);
		cr_assert_eq(f.report.status, ABUT_BOXED_FROZEN, "seed %d", seed);
		cr_assert_eq(f.report.passes, 1);
		for (int i = 0; i < f.lcp.n; i++) {
			f.lo[i] = f.friction[i] >= 0 ? -bound[i] : 0.0;
			f.hi[i] = bound[i];
			f.friction[i] = -1;
		}
		cr_assert_lt(violation(&f, f.room.x), 1e-9, "seed %d: violated by %g", seed, violation(&f, f.room.x));
	}
	free(f.memory);
}

/* Two rows that are one, and ask for different velocities upwards: the stronger holds. */
Test(boxed_lcp, rows_that_are_the_same)
{
	Fixture f;
	begin(&f);
	AbutRng rng = {0};
	random_problem(&f, &rng, 2, 1);
	f.A[0] = f.A[1] = f.A[2] = f.A[3] = 2.0;
	f.b[0] = -1.0;
	f.b[1] = -3.0;
	abut_boxed_lcp_solve(&f.lcp, ABUT_BOXED_PASSES, &f.room, &f.report);
	cr_assert_eq(f.report.status, ABUT_BOXED_SOLVED);
	cr_assert_float_eq(f.room.x[0], 0.0, 1e-15);
	cr_assert_float_eq(f.room.x[1], 1.5, 1e-15);
	cr_assert_float_eq(f.room.w[0], 2.0, 1e-15);
	free(f.memory);
}

Test(boxed_lcp, says_what_cannot_be)
{
	Fixture f;
	begin(&f);
	AbutRng rng = {0};
	random_problem(&f, &rng, 2, 1);
	f.A[0] = f.A[3] = 1.0; /* pressed from both sides */
	f.A[1] = f.A[2] = -1.0;
	f.b[0] = f.b[1] = -1.0;
	abut_boxed_lcp_solve(&f.lcp, ABUT_BOXED_PASSES, &f.room, &f.report);
	cr_assert_eq(f.report.status, ABUT_BOXED_FAILED);
	cr_assert(f.room.x[0] == 0.0 && f.room.x[1] == 0.0);
	cr_assert(f.room.set[0] == ABUT_BOXED_IDLE && f.room.set[1] == ABUT_BOXED_IDLE);
	f.b[0] = (double)NAN;
	abut_boxed_lcp_solve(&f.lcp, ABUT_BOXED_PASSES, &f.room, &f.report);
	cr_assert_eq(f.report.status, ABUT_BOXED_FAILED);
	cr_assert(f.room.x[0] == 0.0 && f.room.x[1] == 0.0);
	free(f.memory);
}
