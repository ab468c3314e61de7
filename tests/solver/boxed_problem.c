#include "boxed_problem.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "base/lapack.h"
#include "base/vec3.h"

void boxed_begin(BoxedProblem *f)
{
	AbutArena arena = {.base = NULL};
	*f = (BoxedProblem){.memory = NULL};
	abut_boxed_lcp_carve(&f->room, BOXED_ROWS, &arena);
	f->memory = malloc(arena.used + ABUT_ARENA_ALIGNMENT);
	cr_assert_not_null(f->memory);
	abut_arena_begin(&arena, f->memory);
	abut_boxed_lcp_carve(&f->room, BOXED_ROWS, &arena);
}

void boxed_random_problem(BoxedProblem *f, AbutRng *rng, int n, int rank)
{
	double J[BOXED_ROWS][BOXED_ROWS], v[BOXED_ROWS];
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
	f->lcp = (AbutBoxedLcp){n, f->A, f->b, f->lo, f->hi, f->friction, NULL, NULL};
}

double boxed_violation(const BoxedProblem *f, const double *x)
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

/* Computes x of one index set, given by a digit in base three for each index: clamped, at the lower bound, at the upper
 * bound. A bound that depends on another index follows it. Returns false if the equations are singular or a bound is
 * infinite. */
static bool solve_index_set(const BoxedProblem *f, int code, double *x)
{
	const int n = f->lcp.n;
	double K[BOXED_ROWS * BOXED_ROWS], right[BOXED_ROWS], follows[BOXED_ROWS];
	int clamped[BOXED_ROWS], pivots[BOXED_ROWS], m = 0;
	for (int i = 0; i < n; i++, code /= 3) {
		const bool friction = f->friction[i] >= 0;
		follows[i] = friction && code % 3 > 0 ? (code % 3 == 1 ? -f->hi[i] : f->hi[i]) : 0.0;
		x[i] = friction ? 0.0 : code % 3 == 1 ? f->lo[i] : code % 3 == 2 ? f->hi[i] : 0.0;
		if (!isfinite(x[i])) {
			return false;
		}
		if (code % 3 == 0) {
			clamped[m++] = i;
		}
	}
	for (int r = 0; r < m; r++) {
		const double *a = &f->A[n * clamped[r]];
		right[r] = -f->b[clamped[r]];
		for (int j = 0; j < n; j++) {
			right[r] -= a[j] * x[j];
		}
		for (int k = 0; k < m; k++) {
			K[m * k + r] = a[clamped[k]];
			for (int j = 0; j < n; j++) {
				K[m * k + r] += f->friction[j] == clamped[k] ? follows[j] * a[j] : 0.0;
			}
		}
	}
	if (m > 0 && !abut_lapack_solve(m, K, pivots, 1, right)) {
		return false;
	}
	for (int k = 0; k < m; k++) {
		x[clamped[k]] = right[k];
	}
	for (int i = 0; i < n; i++) {
		x[i] += follows[i] != 0.0 ? follows[i] * x[f->friction[i]] : 0.0;
	}
	return true;
}

int boxed_enumerate(const BoxedProblem *f, double *nearest, double *furthest)
{
	const int n = f->lcp.n;
	int sets = 1, found = 0;
	for (int i = 0; i < n; i++) {
		sets *= 3;
	}
	*nearest = (double)INFINITY;
	*furthest = 0.0;
	for (int code = 0; code < sets; code++) {
		double x[BOXED_ROWS], difference = 0.0;
		if (!solve_index_set(f, code, x) || boxed_violation(f, x) > 1e-7) {
			continue;
		}
		found++;
		for (int i = 0; i < n; i++) {
			double w = f->b[i];
			for (int j = 0; j < n; j++) {
				w += f->A[n * i + j] * x[j];
			}
			difference = fmax(difference, fabs(w - f->room.w[i]));
		}
		*nearest = fmin(*nearest, difference);
		*furthest = fmax(*furthest, difference);
	}
	return found;
}

void boxed_random_contacts(BoxedProblem *f, AbutRng *rng, int n_points, double mu, bool on_a_plane)
{
	double J[BOXED_ROWS][6], v[6];
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
	f->lcp = (AbutBoxedLcp){n, f->A, f->b, f->lo, f->hi, f->friction, NULL, NULL};
}
