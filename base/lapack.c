#include "base/lapack.h"

#include <cblas.h>
#include <lapacke.h>
#include <pthread.h>

#include "base/vec3.h"

static void limit_now(void)
{
	if (openblas_get_num_threads() != 1) {
		openblas_set_num_threads(1);
	}
}

/* Limits OpenBLAS to one thread, unless it is already limited. OpenBLAS does not protect its number of threads. The
 * first call sets it before any thread solves; later ones only read it, unless the caller has changed it since. */
static void limit_threads(void)
{
	static pthread_once_t first = PTHREAD_ONCE_INIT;
	pthread_once(&first, limit_now);
	limit_now();
}

bool abut_lapack_solve(int n, double *A, int *pivots, int n_rhs, double *B)
{
	_Static_assert(sizeof(lapack_int) == sizeof(int), "pivots are passed as int");
	if (n == 0) { /* which LAPACK refuses, and prints a message */
		return true;
	}
	limit_threads();
	if (LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, n_rhs, A, n, pivots, B, n) != 0) {
		return false;
	}
	return abut_all_finite(B, n * n_rhs);
}

size_t abut_lapack_least_room(int m, int n)
{
	return 6 * (size_t)n + (size_t)m;
}

int abut_lapack_least_squares(int m, int n, double *A, double small, double *b, double *room)
{
	int rank = 0;
	limit_threads();
	if (LAPACKE_dgelss_work(LAPACK_COL_MAJOR, m, n, 1, A, m, b, m, room, small, &rank, &room[n], 5 * n + m) != 0 ||
	    !abut_all_finite(b, n)) {
		return -1;
	}
	for (int i = 0; rank == 0 && i < n; i++) { /* A is 0, and LAPACK leaves it */
		A[(size_t)i * (size_t)m + (size_t)i] = 1.0;
	}
	return rank;
}
