/* Tests that a dense solve has the same bits for any number of OpenBLAS threads. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/lapack.h"
#include "base/rng.h"

void openblas_set_num_threads(int n); /* base/lapack.c alone includes OpenBLAS's headers */

enum { N = 700 };

static void solve(int threads, double *x)
{
	double *A = malloc(N * N * sizeof *A);
	int *pivots = malloc(N * sizeof *pivots);
	AbutRng rng = {1};
	cr_assert(A && pivots);
	for (int i = 0; i < N * N; i++) {
		A[i] = abut_rng_uniform(&rng, -1.0, 1.0);
	}
	for (int i = 0; i < N; i++) {
		x[i] = abut_rng_uniform(&rng, -1.0, 1.0);
	}
	openblas_set_num_threads(threads);
	cr_expect(abut_lapack_solve(N, A, pivots, 1, x));
	free(A);
	free(pivots);
}

Test(lapack, bits_do_not_depend_on_threads)
{
	static double one[N], other[N];
	solve(1, one);
	for (int threads = 2; threads <= 4; threads++) {
		solve(threads, other);
		cr_expect_eq(memcmp(one, other, sizeof one), 0, "%d threads", threads);
	}
}
