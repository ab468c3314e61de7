#include "base/lapack.h"

#include <cblas.h>
#include <lapacke.h>
#include <pthread.h>

#include "base/vec3.h"

/* Limits OpenBLAS to one thread, unless it is already limited. */
static void limit_threads(void)
{
	if (openblas_get_num_threads() != 1) {
		openblas_set_num_threads(1);
	}
}

bool abut_lapack_solve(int n, double *A, int *pivots, int n_rhs, double *B)
{
	_Static_assert(sizeof(lapack_int) == sizeof(int), "pivots are passed as int");
	/* OpenBLAS does not protect its number of threads. The first solve sets it before any thread solves; later ones
	 * only read it, unless the caller has changed it since. */
	static pthread_once_t first = PTHREAD_ONCE_INIT;
	if (n == 0) { /* which LAPACK refuses, and prints a message */
		return true;
	}
	pthread_once(&first, limit_threads);
	limit_threads();
	if (LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, n_rhs, A, n, pivots, B, n) != 0) {
		return false;
	}
	return abut_all_finite(B, n * n_rhs);
}
