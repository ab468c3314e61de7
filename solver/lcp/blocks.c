/* Block principal pivoting (Judice and Pires 1994). From a guess of the sets, it solves the equations of the clamped
 * rows; each row whose x or w then has the wrong sign changes its set. A strictly convex problem has one solution, so
 * that sets which fulfil all conditions are also those of Dantzig's method. Where all rows change at once the method
 * may cycle: the number of wrong rows must fall again within a few rounds. Otherwise it leaves a start for Dantzig's
 * method, in which few rows have yet to enter.
 *
 * Without a guess of the problem, all rows stick, which is nearly right in most steps. Tested by
 * boxed_lcp/any_guess_leads_to_the_same in tests/solver/test_boxed_lcp.c. */
#include <math.h>

#include "solver/lcp/blocks.h"

/* Rounds with more wrong rows than the best round so far. */
enum { patience = 3 };

static bool takes_part(const AbutBoxedLcp *problem, int i, AbutBoxedStart start)
{
	return start != ABUT_BOXED_FRICTIONLESS || problem->friction[i] < 0;
}

/* Returns the guessed set of a row; without a guess, or with an impossible one, the row sticks. */
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

/* Solves x_C = -A_CC^-1 (b + A_CN x_N) with the others at their bounds; then w. Returns false if A_CC is singular to
 * rounding. */
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
			if (!(schur > 0.0)) {
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

/* Returns whether w of a row at a bound drives it off that bound, by more than rounding. */
static bool is_driven_off(const AbutBoxedLcp *problem, const AbutBoxedRoom *room, int i)
{
	double size;
	if (room->lower[i] == room->upper[i] ||
	    (room->set[i] == ABUT_BOXED_LOWER ? room->w[i] >= 0.0 : room->w[i] <= 0.0)) {
		return false;
	}
	return fabs(abut_boxed_lcp_value(problem, room->x, i, &size)) > ABUT_BOXED_ROUNDING * size;
}

/* Returns the set that a row's x or w sends it to. */
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

/* Moves rows to their rightful sets: all, or (`clamped`) only the clamped ones. Returns how many changed. */
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

/* Moves clamped rows to their bounds until all are inside. Rows at a bound that w drives off it have yet to enter. */
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
