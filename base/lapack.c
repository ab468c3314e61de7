#include "base/lapack.h"

#include <cblas.h>
#include <lapacke.h>

#include "base/vec3.h"

bool abut_lapack_solve(int n, double *A, int *pivots, int n_rhs, double *B)
{
	_Static_assert(sizeof(lapack_int) == sizeof(int), "pivots are passed as int");
	if (openblas_get_num_threads() != 1) {
		openblas_set_num_threads(1);
	}
	if (LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, n_rhs, A, n, pivots, B, n) != 0) {
		return false;
	}
	return abut_all_finite(B, n * n_rhs);
}
