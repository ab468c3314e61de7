/* Compares the factors of a changing index set with a solution from scratch. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/lapack.h"
#include "base/rng.h"
#include "solver/lcp/clamped_factor.h"

enum { N = 12 };

/* Makes A = G' G plus a small part of the unit matrix. */
static void random_matrix(AbutRng *rng, double A[N * N])
{
	double G[N * N];
	for (int i = 0; i < N * N; i++) {
		G[i] = abut_rng_normal(rng);
	}
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++) {
			A[N * i + j] = i == j ? 0.1 : 0.0;
			for (int k = 0; k < N; k++) {
				A[N * i + j] += G[N * k + i] * G[N * k + j];
			}
		}
	}
}

static void check(const AbutClampedFactor *factor, AbutRng *rng, int seed)
{
	double K[N * N], right[N], x[N];
	int pivots[N];
	const int m = factor->m;
	for (int k = 0; k < m; k++) {
		right[k] = x[k] = abut_rng_normal(rng);
		for (int r = 0; r < m; r++) {
			K[m * k + r] = factor->A[N * factor->index[r] + factor->index[k]];
		}
	}
	cr_assert(m == 0 || abut_lapack_solve(m, K, pivots, 1, right));
	abut_clamped_factor_solve(factor, x);
	for (int k = 0; k < m; k++) {
		cr_assert_float_eq(x[k], right[k], 1e-9 * (1.0 + fabs(right[k])), "seed %d: %g, not %g", seed, x[k],
		                   right[k]);
	}
}

Test(clamped_factor, follows_what_comes_and_goes)
{
	for (int seed = 0; seed < 50; seed++) {
		AbutRng rng = {(uint64_t)seed};
		_Alignas(ABUT_ARENA_ALIGNMENT) char memory[8192];
		AbutArena arena = {memory, 0};
		AbutClampedFactor factor;
		double A[N * N];
		bool in[N] = {false};
		abut_clamped_factor_carve(&factor, N, &arena);
		cr_assert_leq(arena.used, sizeof memory);
		random_matrix(&rng, A);
		abut_clamped_factor_begin(&factor, N, A);
		for (int change = 0; change < 60; change++) {
			const int i = (int)abut_rng_uniform(&rng, 0.0, N);
			if (!in[i]) {
				const double schur = abut_clamped_factor_schur(&factor, i);
				cr_assert_gt(schur, 0.0);
				abut_clamped_factor_append(&factor, i, schur);
			} else {
				int k = 0;
				while (factor.index[k] != i) {
					k++;
				}
				abut_clamped_factor_remove(&factor, k);
			}
			in[i] = !in[i];
			check(&factor, &rng, seed);
		}
	}
}
