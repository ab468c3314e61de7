/* Solves a boxed problem by projected Gauss-Seidel. Each x_i in turn moves to where w_i is zero, or to its bound;
 * bounds of friction follow from the present normal impulse. After 8, 16, 32 ... sweeps, the sets implied by x are
 * tried (solver/lcp/coupled.c), which solves most problems exactly. The others stop after 2048 sweeps. Tested by
 * boxed_lcp_methods/find_what_enumeration_finds in tests/solver/test_boxed_lcp_methods.c. */

#include "solver/lcp/sweeps.h"
#include "base/vec3.h"
#include "solver/lcp/coupled.h"

enum { first_look = 8, most_sweeps = 2048 };

static void begin(const AbutBoxedLcp *problem, AbutBoxedRoom *room)
{
	const double idle = abut_boxed_lcp_idle_below(problem);
	for (int i = 0; i < problem->n; i++) {
		const bool still = abut_boxed_lcp_row(problem, i)[i] <= idle;
		room->lower[i] = problem->friction[i] >= 0 ? 0.0 : problem->lo[i];
		room->upper[i] = problem->friction[i] >= 0 ? 0.0 : problem->hi[i];
		room->set[i] = still ? ABUT_BOXED_IDLE : ABUT_BOXED_CLAMPED;
		room->x[i] = 0.0;
	}
}

static void sweep_rows(const AbutBoxedLcp *problem, const AbutBoxedRoom *room, bool friction)
{
	for (int i = 0; i < problem->n; i++) {
		const int j = problem->friction[i];
		const double *a = abut_boxed_lcp_row(problem, i);
		const double bound = j >= 0 ? problem->hi[i] * room->x[j] : 0.0;
		const double lower = j >= 0 ? -bound : problem->lo[i], upper = j >= 0 ? bound : problem->hi[i];
		double w = problem->b[i];
		if ((j >= 0) != friction || room->set[i] == ABUT_BOXED_IDLE) {
			continue;
		}
		for (int k = 0; k < problem->n; k++) {
			w += a[k] * room->x[k];
		}
		room->x[i] = abut_min(abut_max(room->x[i] - w / a[i], lower), upper);
	}
}

/* Returns whether the sets implied by x, or x itself, solve the problem. */
static bool look(const AbutBoxedLcp *problem, AbutBoxedRoom *room)
{
	abut_boxed_lcp_product(problem, room->x, room->w);
	abut_boxed_lcp_change_sets(problem, room, room->x, room->w);
	return abut_boxed_lcp_couple(problem, room);
}

void abut_boxed_lcp_sweep(const AbutBoxedLcp *problem, AbutBoxedRoom *room, AbutBoxedReport *report)
{
	const double scale = abut_boxed_lcp_scale(problem);
	*report = (AbutBoxedReport){.status = ABUT_BOXED_FAILED, .method = ABUT_BOXED_SWEEPS, .passes = 1};
	begin(problem, room);
	bool done = false;
	for (int next = first_look; !done && report->pivots < most_sweeps && !abut_stopped(problem->stop); next *= 2) {
		for (; report->pivots < next && !abut_stopped(problem->stop); report->pivots++) {
			sweep_rows(problem, room, false);
			sweep_rows(problem, room, true);
		}
		done = look(problem, room);
	}
	report->residual = abut_boxed_lcp_residual(problem, room, room->x, room->w, true);
	report->status = report->residual <= ABUT_BOXED_NEARLY * scale    ? ABUT_BOXED_SOLVED
	                 : report->residual <= ABUT_BOXED_ROUGHLY * scale ? ABUT_BOXED_ROUGH
	                                                                  : ABUT_BOXED_FAILED;
}
