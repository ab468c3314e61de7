/* Allocates the room of a boxed problem, and computes A x + b, the residual and the scale. */
#include "solver/lcp/problem.h"

#include <math.h>

#include "base/clones.h"

void abut_boxed_lcp_carve(AbutBoxedRoom *room, int n, AbutArena *arena)
{
	const size_t count = (size_t)n;
	double **const vectors[] = {&room->x,  &room->w,  &room->lower,     &room->upper,    &room->dx,
	                            &room->dw, &room->dc, &room->coupled_x, &room->coupled_w};
	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
		*vectors[i] = abut_arena_take(arena, count, sizeof(double));
	}
	room->K = abut_arena_take(arena, count * count, sizeof(double));
	room->regular = abut_arena_take(arena, count * count, sizeof(double));
	room->twice = abut_arena_take(arena, 2 * count, sizeof(double));
	room->set = abut_arena_take(arena, count, sizeof *room->set);
	room->kept = abut_arena_take(arena, count, sizeof *room->kept);
	room->entered = abut_arena_take(arena, count, sizeof(bool));
	room->pivots = abut_arena_take(arena, count, sizeof(int));
	abut_clamped_factor_carve(&room->factor, n, arena);
}

double abut_boxed_lcp_scale(const AbutBoxedLcp *problem)
{
	double largest = 0.0;
	for (int i = 0; i < problem->n; i++) {
		largest = abut_max(largest, fabs(problem->b[i]));
	}
	return largest;
}

/* Works by columns, which equal the rows of the symmetric A. No sum depends on its last addition, and zeros are
 * skipped. */
ABUT_CLONES void abut_boxed_lcp_product(const AbutBoxedLcp *problem, const double *restrict x, double *restrict w)
{
	for (int i = 0; i < problem->n; i++) {
		w[i] = problem->b[i];
	}
	for (int j = 0; j < problem->n; j++) {
		const double *a = abut_boxed_lcp_row(problem, j);
		for (int i = 0; x[j] != 0.0 && i < problem->n; i++) {
			w[i] += a[i] * x[j];
		}
	}
}

/* Uses four independent sums, which the processor computes in parallel. */
ABUT_CLONES double abut_boxed_lcp_value(const AbutBoxedLcp *problem, const double *x, int i, double *size)
{
	const double *a = abut_boxed_lcp_row(problem, i);
	double sum[4] = {problem->b[i]}, all[4] = {fabs(problem->b[i])};
	int j = 0;
	for (; j + 4 <= problem->n; j += 4) {
		for (int k = 0; k < 4; k++) {
			const double term = a[j + k] * x[j + k];
			sum[k] += term;
			all[k] += fabs(term);
		}
	}
	for (; j < problem->n; j++) {
		sum[0] += a[j] * x[j];
		all[0] += fabs(a[j] * x[j]);
	}
	*size = (all[0] + all[1]) + (all[2] + all[3]);
	return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double abut_boxed_lcp_residual(const AbutBoxedLcp *problem, const AbutBoxedRoom *room, const double *x, const double *w,
                               bool coupled)
{
	double worst = 0.0;
	for (int i = 0; i < problem->n; i++) {
		double lower = room->lower[i], upper = room->upper[i];
		if (coupled && problem->friction[i] >= 0) {
			abut_boxed_lcp_box(problem, x, i, &lower, &upper);
		}
		const double weight = abut_boxed_lcp_row(problem, i)[i];
		double off = fabs(w[i]); /* a row that nothing moves: at a bound, only w of the wrong sign counts */
		if (weight > 0.0) {
			off = fabs(x[i] - abut_min(abut_max(x[i] - w[i] / weight, lower), upper)) * weight;
		} else if ((x[i] <= lower && w[i] > 0.0) || (x[i] >= upper && w[i] < 0.0)) {
			off = 0.0;
		}
		if (!isfinite(off)) {
			return (double)INFINITY;
		}
		worst = abut_max(worst, off);
	}
	return worst;
}

/* Allows for rounding. A_ii is a square. In a direction without motion, such as a tangent orthogonal to the plane of a
 * planar body, it is the square of a few rounding errors. Tested by the planar scenes of
 * lcp_gradient/is_that_of_differences.
 */
double abut_boxed_lcp_idle_below(const AbutBoxedLcp *problem)
{
	static const double rounding = 0x1p-46;
	double largest = 0.0;
	for (int i = 0; i < problem->n; i++) {
		largest = abut_max(largest, abut_boxed_lcp_row(problem, i)[i]);
	}
	return rounding * rounding * largest;
}
