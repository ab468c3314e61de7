/* Computes dF/du column by column with complex steps: F(u + i h e_j) = F(u) + i h dF/du_j + O(h^2). The step h is so
 * small that the last term vanishes; no difference is taken, so nothing cancels. The matrix is factorised with scaled
 * rows and partial pivoting. Repeated corrections with the same factors restore the digits lost by the factorisation.
 */
#include "experiments/reference/extended_solve.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/reference/extended_equations.h"

enum { MOST_NEWTON = 12, MOST_CORRECTIONS = 8 };

static const long double step = 1e-30L;
/* The least allowed pivots after scaling the largest entry of each row to 1. At an exact solution, a pivot below
 * `least_exact_pivot` means that two conditions coincide. On the central path the smallest pivots are of the order of
 * kappa, but no solution is singular. */
static const long double least_exact_pivot = 1e-12L, least_pivot = 1e-26L;
/* The required accuracy of a solution; for its derivative it is relative to the largest entry. */
static const long double settled = 1e-13L;

void abut_extended_solver_free(AbutExtendedSolver *solver)
{
	free(solver->A);
	free(solver->order);
	free(solver->F);
	*solver = (AbutExtendedSolver){.n = 0};
}

AbutStatus abut_extended_solver_create(int n, AbutExtendedSolver *out)
{
	const size_t size = (size_t)n + 1;
	*out = (AbutExtendedSolver){.n = n};
	out->A = calloc(size * size + 2 * size, sizeof *out->A);
	out->order = calloc(size, sizeof *out->order);
	out->F = calloc(2 * size, sizeof *out->F);
	if (!out->A || !out->order || !out->F) {
		abut_extended_solver_free(out);
		return ABUT_ERROR_MEMORY;
	}
	out->scale = out->A + size * size;
	out->lane = out->scale + size;
	out->u = out->F + size;
	return ABUT_OK;
}

/* --- the factors --- */

static long double *row_of(const AbutExtendedSolver *solver, int row)
{
	return &solver->A[(size_t)row * (size_t)solver->n];
}

static void fill_matrix(AbutExtendedSolver *solver, AbutExtendedIsland *island)
{
	for (int j = 0; j < solver->n; j++) {
		memcpy(solver->u, island->base, (size_t)solver->n * sizeof *solver->u);
		solver->u[j] += step * _Complex_I;
		abut_extended_evaluate(island, solver->u, solver->F);
		for (int i = 0; i < solver->n; i++) {
			row_of(solver, i)[j] = cimagl(solver->F[i]) / step;
		}
	}
}

static bool scale_rows(AbutExtendedSolver *solver)
{
	for (int i = 0; i < solver->n; i++) {
		long double *row = row_of(solver, i), largest = 0.0L;
		for (int j = 0; j < solver->n; j++) {
			largest = fmaxl(largest, fabsl(row[j]));
		}
		if (!(largest > 0.0L && isfinite(largest))) {
			return false;
		}
		solver->scale[i] = 1.0L / largest;
		for (int j = 0; j < solver->n; j++) {
			row[j] *= solver->scale[i];
		}
	}
	return true;
}

static void exchange(AbutExtendedSolver *solver, int a, int b)
{
	long double *first = row_of(solver, a), *second = row_of(solver, b);
	const int order = solver->order[a];
	solver->order[a] = solver->order[b];
	solver->order[b] = order;
	for (int j = 0; j < solver->n; j++) {
		const long double kept = first[j];
		first[j] = second[j];
		second[j] = kept;
	}
}

static bool eliminate(AbutExtendedSolver *solver, long double least)
{
	const int n = solver->n;
	for (int i = 0; i < n; i++) {
		solver->order[i] = i;
	}
	for (int k = 0; k < n; k++) {
		int best = k;
		for (int i = k + 1; i < n; i++) {
			best = fabsl(row_of(solver, i)[k]) > fabsl(row_of(solver, best)[k]) ? i : best;
		}
		exchange(solver, k, best);
		const long double *pivot = row_of(solver, k);
		if (!(fabsl(pivot[k]) > least)) {
			return false;
		}
		for (int i = k + 1; i < n; i++) {
			long double *row = row_of(solver, i);
			row[k] /= pivot[k];
			for (int j = k + 1; j < n && row[k] != 0.0L; j++) {
				row[j] -= row[k] * pivot[j];
			}
		}
	}
	return true;
}

static bool factorise(AbutExtendedSolver *solver, AbutExtendedIsland *island)
{
	fill_matrix(solver, island);
	return scale_rows(solver) && eliminate(solver, island->kappa > 0.0L ? least_pivot : least_exact_pivot);
}

/* --- corrections --- */

static void solve_lane(const AbutExtendedSolver *solver, long double *x)
{
	const int n = solver->n;
	for (int i = 0; i < n; i++) {
		const long double *row = row_of(solver, i);
		for (int j = 0; j < i; j++) {
			x[i] -= row[j] * x[j];
		}
	}
	for (int i = n - 1; i >= 0; i--) {
		const long double *row = row_of(solver, i);
		for (int j = i + 1; j < n; j++) {
			x[i] -= row[j] * x[j];
		}
		x[i] /= row[i];
	}
}

/* Computes u -= (dF/du)^-1 F for the real or the imaginary parts. Returns the largest change of a velocity. */
static long double correct(AbutExtendedSolver *solver, int n_velocities, bool imaginary)
{
	long double largest = 0.0L;
	for (int i = 0; i < solver->n; i++) {
		const int row = solver->order[i];
		const AbutComplex F = solver->F[row];
		solver->lane[i] = solver->scale[row] * (imaginary ? cimagl(F) : creall(F));
	}
	solve_lane(solver, solver->lane);
	for (int i = 0; i < solver->n; i++) {
		const long double by = solver->lane[i];
		solver->u[i] -= imaginary ? by * _Complex_I : (AbutComplex)by;
		largest = i >= n_velocities ? largest : isnan(by) ? (long double)INFINITY : fmaxl(largest, fabsl(by));
	}
	return largest;
}

AbutExtendedEnd abut_extended_refine(AbutExtendedSolver *solver, AbutExtendedIsland *island, long double *change)
{
	const int n_velocities = 6 * island->n_bodies;
	long double last = (long double)INFINITY;
	*change = 0.0L;
	for (int k = 0; k < MOST_NEWTON; k++) {
		if (!factorise(solver, island)) {
			return ABUT_EXTENDED_SINGULAR;
		}
		memcpy(solver->u, island->base, (size_t)solver->n * sizeof *solver->u);
		abut_extended_evaluate(island, solver->u, solver->F);
		const long double by = correct(solver, n_velocities, false);
		if (!(by < last)) {
			break;
		}
		memcpy(island->base, solver->u, (size_t)solver->n * sizeof *solver->u);
		*change += by;
		last = by;
	}
	abut_extended_evaluate(island, island->base, solver->F); /* updates the slacks at the solution */
	return last <= settled ? ABUT_EXTENDED_SOLVED : ABUT_EXTENDED_UNSETTLED;
}

static long double largest_imaginary(const AbutExtendedSolver *solver, int n)
{
	long double largest = 0.0L;
	for (int i = 0; i < n; i++) {
		largest = fmaxl(largest, fabsl(cimagl(solver->u[i])));
	}
	return largest;
}

AbutExtendedEnd abut_extended_follow(AbutExtendedSolver *solver, AbutExtendedIsland *island, long double h,
                                     long double *error)
{
	const int n_velocities = 6 * island->n_bodies;
	long double last = (long double)INFINITY;
	memcpy(solver->u, island->base, (size_t)solver->n * sizeof *solver->u);
	for (int k = 0; k < MOST_CORRECTIONS; k++) {
		abut_extended_evaluate(island, solver->u, solver->F);
		const long double by = correct(solver, n_velocities, true) / h;
		if (!(by < last)) {
			break;
		}
		last = by;
	}
	abut_extended_evaluate(island, solver->u, solver->F); /* moves the bodies to the solution */
	const long double size = 1.0L + largest_imaginary(solver, n_velocities) / h;
	*error = fmaxl(last, LDBL_EPSILON * size);
	return last <= settled * size ? ABUT_EXTENDED_SOLVED : ABUT_EXTENDED_UNSETTLED;
}
