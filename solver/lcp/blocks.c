/* Solves a boxed problem by block principal pivoting (Judice and Pires 1994). From a guess of the sets, it solves the
 * equations of the clamped rows. Then each row whose x or w has the wrong sign changes its set. A strictly convex
 * problem has only one solution; therefore sets that fulfil all conditions are also those of Dantzig's method. If all
 * rows change at once, the method may cycle. It stops if the number of wrong rows has not fallen within a few rounds,
 * and leaves a start for Dantzig's method, in which only few rows must still enter.
 *
 * If the problem gives no guess, all rows stick, which is nearly right in most steps. Tested by
 * boxed_lcp/any_guess_leads_to_the_same in tests/solver/test_boxed_lcp.c. */
#include <math.h>

#include "solver/lcp/blocks.h"

/* Largest number of consecutive rounds that do not reduce the number of wrong rows. */
enum { patience = 3 };

static bool takes_part(const AbutBoxedLcp *problem, int i, AbutBoxedStart start)
{
	return start != ABUT_BOXED_FRICTIONLESS || problem->friction[i] < 0;
}

/* Returns the guessed set of a row. Without a guess, or with an impossible one, the row is clamped. */
static AbutBoxedSet guess_of(const AbutBoxedLcp *problem, const AbutBoxedRoom *room, int i, AbutBoxedStart start)
{
	const AbutBoxedSet set = start == ABUT_BOXED_FROM_SETS                      ? room->set[i]
	                         : start == ABUT_BOXED_FROM_GUESS && problem->guess ? problem->guess[i]
	                                                                            : ABUT_BOXED_CLAMPED;
	const bool nowhere = (set == ABUT_BOXED_LOWER && !isfinite(room->lower[i])) ||
	                     (set == ABUT_BOXED_UPPER && !isfinite(room->upper[i]));
	return set == ABUT_BOXED_IDLE || nowhere ? ABUT_BOXED_CLAMPED : set;
}

static void guess(const AbutBoxedLcp *problem, AbutBoxedRoom *room, AbutBoxedStart start, double idle)
{
	for (int i = 0; i < problem->n; i++) {
		const bool still = abut_boxed_lcp_row(problem, i)[i] <= idle;
		room->entered[i] = takes_part(problem, i, start);
		room->set[i] = still || !room->entered[i]         ? ABUT_BOXED_IDLE
		               : room->lower[i] == room->upper[i] ? ABUT_BOXED_LOWER
		                                                  : guess_of(problem, room, i, start);
	}
}

/* Computes x_C = -A_CC^-1 (b + A_CN x_N) for the clamped rows C, with the other rows N at their bounds, and then w.
 * Returns false if A_CC is singular to rounding. */
static bool solve(const AbutBoxedLcp *problem, AbutBoxedRoom *room)
{
	AbutClampedFactor *factor = &room->factor;
	abut_clamped_factor_begin(factor, problem->n, problem->A);
	for (int i = 0; i < problem->n; i++) {
		room->x[i] = room->set[i] == ABUT_BOXED_LOWER   ? room->lower[i]
		             : room->set[i] == ABUT_BOXED_UPPER ? room->upper[i]
		                                                : 0.0;
		if (room->set[i] == ABUT_BOXED_CLAMPED) {
			const double schur = abut_clamped_factor_schur(factor, i);
			if (!(schur > 0.0) || abut_stopped_after(problem->stop, i)) {
				return false;
			}
			abut_clamped_factor_append(factor, i, schur);
		}
	}
	abut_boxed_lcp_product(problem, room->x, room->w);
	for (int k = 0; k < factor->m; k++) {
		room->dc[k] = -room->w[factor->index[k]];
	}
	abut_clamped_factor_solve(factor, room->dc);
	for (int k = 0; k < factor->m; k++) {
		room->x[factor->index[k]] = room->dc[k];
	}
	abut_boxed_lcp_product(problem, room->x, room->w);
	return true;
}

/* Returns whether w has the wrong sign for a row at a bound, by more than rounding. */
static bool is_driven_off(const AbutBoxedLcp *problem, const AbutBoxedRoom *room, int i)
{
	double size;
	if (room->lower[i] == room->upper[i] ||
	    (room->set[i] == ABUT_BOXED_LOWER ? room->w[i] >= 0.0 : room->w[i] <= 0.0)) {
		return false;
	}
	return fabs(abut_boxed_lcp_value(problem, room->x, i, &size)) > ABUT_BOXED_ROUNDING * size;
}

/* Returns the set to which a row must change because of its x or w. */
static AbutBoxedSet rightful(const AbutBoxedLcp *problem, const AbutBoxedRoom *room, int i)
{
	const AbutBoxedSet set = room->set[i];
	if (set == ABUT_BOXED_CLAMPED) {
		return room->x[i] < room->lower[i]   ? ABUT_BOXED_LOWER
		       : room->x[i] > room->upper[i] ? ABUT_BOXED_UPPER
		                                     : set;
	}
	return set != ABUT_BOXED_IDLE && is_driven_off(problem, room, i) ? ABUT_BOXED_CLAMPED : set;
}

/* Changes the sets of all rows that are wrong, or (`clamped`) only of the clamped ones. Returns the number of changes.
 */
static int change(const AbutBoxedLcp *problem, AbutBoxedRoom *room, bool clamped)
{
	int changed = 0;
	for (int i = 0; i < problem->n; i++) {
		if (clamped && room->set[i] != ABUT_BOXED_CLAMPED) {
			continue;
		}
		const AbutBoxedSet set = rightful(problem, room, i);
		changed += set != room->set[i];
		room->set[i] = set;
	}
	return changed;
}

static bool start_from_nothing(const AbutBoxedLcp *problem, AbutBoxedRoom *room)
{
	abut_clamped_factor_begin(&room->factor, problem->n, problem->A);
	for (int i = 0; i < problem->n; i++) {
		room->x[i] = room->w[i] = 0.0;
		room->entered[i] = false;
	}
	return false;
}

/* Moves clamped rows to their bounds until all others are inside. Rows at a bound with the wrong sign of w must still
 * enter. */
static bool start_from_here(const AbutBoxedLcp *problem, AbutBoxedRoom *room, int *pivots)
{
	int changed = 1;
	while (changed > 0) {
		if (!solve(problem, room)) {
			return start_from_nothing(problem, room);
		}
		changed = change(problem, room, true);
		*pivots += changed;
	}
	for (int i = 0; i < problem->n; i++) {
		room->entered[i] = room->entered[i] && rightful(problem, room, i) == room->set[i];
	}
	return false;
}

bool abut_boxed_lcp_blocks(const AbutBoxedLcp *problem, AbutBoxedRoom *room, AbutBoxedStart start, double idle,
                           int *pivots)
{
	int fewest = problem->n + 1, left = patience;
	guess(problem, room, start, idle);
	while (left > 0) {
		if (!solve(problem, room)) {
			return start_from_nothing(problem, room);
		}
		const int changed = change(problem, room, false);
		*pivots += changed;
		if (changed == 0) {
			return true;
		}
		left = changed < fewest ? patience : left - 1;
		fewest = changed < fewest ? changed : fewest;
	}
	return start_from_here(problem, room, pivots);
}
