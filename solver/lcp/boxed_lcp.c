/* Solves a boxed problem by the chosen method. If this method finds no solution, tries the others. */
#include "solver/lcp/boxed_lcp.h"

#include <math.h>

#include "solver/lcp/coupled.h"
#include "solver/lcp/dantzig.h"
#include "solver/lcp/lemke.h"
#include "solver/lcp/sweeps.h"

static bool is_finite(const AbutBoxedLcp *problem)
{
	bool all = true;
	for (int i = 0; i < problem->n; i++) {
		all = all && isfinite(problem->b[i]);
	}
	return all;
}

/* Sets all impulses to zero. Where b is not finite, w is also zero. */
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

/* Runs the method if there is no solution yet. Adds the counts of earlier attempts to the report. */
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
