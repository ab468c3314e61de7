/* The ways to a solution, and what the others do where the one that was asked for finds none. */
#include "solver/lcp/boxed_lcp.h"

#include <math.h>

#include "base/clones.h"
#include "base/vec3.h"

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

/* By columns, which are rows: no sum waits for its last addition, and what carries nothing is left out. */
ABUT_CLONES void abut_boxed_lcp_product(const AbutBoxedLcp *problem, const double *restrict x, double *restrict w)
{
	for (int i = 0; i < problem->n; i++) {
		w[i] = problem->b[i];
	}
	for (int j = 0; j < problem->n; j++) {
		const double *a = &problem->A[(size_t)j * (size_t)problem->n];
		for (int i = 0; x[j] != 0.0 && i < problem->n; i++) {
			w[i] += a[i] * x[j];
		}
	}
}

/* Four sums of each: one alone waits for its last addition. */
ABUT_CLONES double abut_boxed_lcp_value(const AbutBoxedLcp *problem, const double *x, int i, double *size)
{
	const double *a = &problem->A[(size_t)i * (size_t)problem->n];
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
		const int j = problem->friction[i];
		const double bound = j >= 0 ? problem->hi[i] * abut_max(x[j], 0.0) : 0.0;
		const double lower = j >= 0 && coupled ? -bound : room->lower[i];
		const double upper = j >= 0 && coupled ? bound : room->upper[i];
		const double weight = problem->A[(size_t)i * (size_t)problem->n + (size_t)i];
		double off = fabs(w[i]); /* of a row that nothing moves: a bound at 0 takes the sign that it allows */
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

/* A_ii is a square: of a direction that nothing moves along, as a tangent across a planar body's plane, it is that of
 * some roundings. Tested by the planar scenes of lcp_gradient/is_that_of_differences. */
double abut_boxed_lcp_idle_below(const AbutBoxedLcp *problem)
{
	static const double rounding = 0x1p-46;
	double largest = 0.0;
	for (int i = 0; i < problem->n; i++) {
		largest = abut_max(largest, problem->A[(size_t)i * (size_t)problem->n + (size_t)i]);
	}
	return rounding * rounding * largest;
}

static bool is_finite(const AbutBoxedLcp *problem)
{
	bool all = true;
	for (int i = 0; i < problem->n; i++) {
		all = all && isfinite(problem->b[i]);
	}
	return all;
}

/* No impulse at all; an index whose b is no number has w = 0. */
static void leave_at_zero(const AbutBoxedLcp *problem, AbutBoxedRoom *room, AbutBoxedReport *report)
{
	for (int i = 0; i < problem->n; i++) {
		room->x[i] = 0.0;
		room->w[i] = isfinite(problem->b[i]) ? problem->b[i] : 0.0;
		room->set[i] = ABUT_BOXED_IDLE;
	}
	report->residual = abut_boxed_lcp_residual(problem, room, room->x, room->w, false);
}

static void run(const AbutBoxedLcp *problem, AbutBoxedMethod method, AbutBoxedRoom *room, AbutBoxedReport *report)
{
	if (method == ABUT_BOXED_DANTZIG) {
		abut_boxed_lcp_dantzig(problem, ABUT_BOXED_PASSES, room, report);
	} else if (method == ABUT_BOXED_ONE_PASS) {
		abut_boxed_lcp_dantzig(problem, 1, room, report);
		report->method = ABUT_BOXED_ONE_PASS;
	} else if (method == ABUT_BOXED_LEMKE) {
		abut_boxed_lcp_lemke(problem, room, report);
	} else {
		abut_boxed_lcp_sweep(problem, room, report);
	}
}

/* Runs the method if there is no solution yet, and counts what went before it. */
static void attempt(const AbutBoxedLcp *problem, AbutBoxedMethod method, AbutBoxedRoom *room, AbutBoxedReport *report)
{
	const int pivots = report->pivots, passes = report->passes;
	if (report->status != ABUT_BOXED_SOLVED) {
		run(problem, method, room, report);
		report->pivots += pivots;
		report->passes += passes;
	}
}

void abut_boxed_lcp_solve(const AbutBoxedLcp *problem, AbutBoxedMethod method, AbutBoxedRoom *room,
                          AbutBoxedReport *report)
{
	*report = (AbutBoxedReport){.status = ABUT_BOXED_SOLVED, .method = method};
	if (problem->n == 0) {
		return;
	}
	if (!is_finite(problem)) {
		report->status = ABUT_BOXED_FAILED;
		leave_at_zero(problem, room, report);
		return;
	}
	room->least = false;
	run(problem, method, room, report);
	const bool frozen = report->status == ABUT_BOXED_FROZEN;
	if (frozen && method == ABUT_BOXED_ONE_PASS) {
		return;
	}
	if (method != ABUT_BOXED_LEMKE) {
		attempt(problem, ABUT_BOXED_LEMKE, room, report);
	}
	if (method != ABUT_BOXED_DANTZIG || frozen) {
		attempt(problem, ABUT_BOXED_DANTZIG, room, report);
	}
	if (report->status == ABUT_BOXED_FAILED) {
		attempt(problem, ABUT_BOXED_SWEEPS, room, report);
	}
	if (report->status == ABUT_BOXED_SOLVED) {
		abut_boxed_lcp_least(problem, room);
		report->residual = abut_boxed_lcp_residual(problem, room, room->x, room->w, true);
	} else if (report->status == ABUT_BOXED_FAILED) {
		leave_at_zero(problem, room, report);
	}
}
