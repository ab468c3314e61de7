/* Tests that a dense solve has the same bits for any number of OpenBLAS threads, and that several threads may make the
 * first solve at the same time. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/lapack.h"
#include "base/rng.h"

/* Replace OpenBLAS's own functions, whose header only base/lapack.c includes. Like them, they do not protect the
 * number; ThreadSanitizer sees what happens here. */
int openblas_get_num_threads(void);
void openblas_set_num_threads(int n);

static int blas_threads = 4, times_set;
static atomic_int waiting, together; /* threads that have asked; how many of them are waited for */

/* Waits for the other thread, if it can come, before it answers. */
int openblas_get_num_threads(void)
{
	const int found = blas_threads;
	atomic_fetch_add(&waiting, 1);
	for (int i = 0; i < 1000000 && atomic_load(&waiting) < atomic_load(&together); i++) {
		sched_yield();
	}
	return found;
}

void openblas_set_num_threads(int n)
{
	void *const own = dlsym(RTLD_NEXT, "openblas_set_num_threads");
	void (*set)(int);
	memcpy(&set, &own, sizeof set);
	set(n);
	blas_threads = n;
	times_set++;
}

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

static void *solve_one(void *context)
{
	double A[1] = {2.0}, *b = context;
	int pivot[1];
	return abut_lapack_solve(1, A, pivot, 1, b) ? b : NULL;
}

Test(lapack, threads_may_solve_first_at_the_same_time)
{
	pthread_t threads[2];
	double b[2] = {2.0, 4.0};
	void *done;
	atomic_store(&together, 2);
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(pthread_create(&threads[i], NULL, solve_one, &b[i]), 0);
	}
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(pthread_join(threads[i], &done), 0);
		cr_expect(done == &b[i] && b[i] == 1.0 + i);
	}
	cr_expect_eq(times_set, 1, "set %d times", times_set);
}

/* LAPACK refuses a system without unknowns, and prints an error. */
Test(lapack, a_system_without_unknowns_is_solved)
{
	cr_expect(abut_lapack_solve(0, NULL, NULL, 1, NULL));
}

/* A product of random matrices of a low rank: the solution fulfils the normal equations, and is orthogonal to the
 * directions that do not matter, which are the last singular vectors. */
Test(lapack, least_squares_are_the_shortest)
{
	enum { M = 9, COLUMNS = 5 };
	for (int rank = 0; rank <= COLUMNS; rank++) {
		double A[M * COLUMNS] = {0.0}, V[M * COLUMNS], b[M], x[M], room[6 * COLUMNS + M], left[M];
		AbutRng rng = {(uint64_t)rank};
		for (int r = 0; r < rank; r++) {
			double u[M], v[COLUMNS];
			for (int i = 0; i < M; i++) {
				u[i] = abut_rng_uniform(&rng, -1.0, 1.0);
			}
			for (int k = 0; k < COLUMNS; k++) {
				v[k] = abut_rng_uniform(&rng, -1.0, 1.0);
				for (int i = 0; i < M; i++) {
					A[k * M + i] += u[i] * v[k];
				}
			}
		}
		for (int i = 0; i < M; i++) {
			x[i] = b[i] = abut_rng_uniform(&rng, -1.0, 1.0);
		}
		memcpy(V, A, sizeof V);
		cr_assert_eq(abut_lapack_least_room(M, COLUMNS), sizeof room / sizeof *room);
		cr_assert_eq(abut_lapack_least_squares(M, COLUMNS, V, 1e-9, x, room), rank);
		for (int i = 0; i < M; i++) {
			left[i] = -b[i];
			for (int k = 0; k < COLUMNS; k++) {
				left[i] += A[k * M + i] * x[k];
			}
		}
		for (int k = 0; k < COLUMNS; k++) {
			double normal = 0.0, along = 0.0, square = 0.0;
			for (int i = 0; i < M; i++) {
				normal += A[k * M + i] * left[i];
			}
			for (int i = 0; i < COLUMNS; i++) {
				along += V[i * M + k] * x[i];
				square += V[i * M + k] * V[i * M + k];
			}
			cr_expect_float_eq(normal, 0.0, 1e-12, "rank %d: %g", rank, normal);
			cr_expect_float_eq(square, 1.0, 1e-12, "rank %d: %g", rank, square);
			cr_expect(k < rank || fabs(along) < 1e-12, "rank %d: %g", rank, along);
			for (int i = 0; k >= rank && i < M; i++) {
				double moved = 0.0;
				for (int j = 0; j < COLUMNS; j++) {
					moved += A[j * M + i] * V[j * M + k];
				}
				cr_expect_float_eq(moved, 0.0, 1e-12, "rank %d: %g", rank, moved);
			}
		}
	}
}
