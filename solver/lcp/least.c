/* Impulses that A leaves open, as of four points of a face, made those of least effort (Nimble, appendix B). To the
 * clamped rows are added those that are tied: at their bound, with w = 0. Of all x of these rows with w = 0, the one of
 * the smallest sum of A_ii x_i^2 is taken; rows that leave their boxes go to the bound, and the rest is solved again. A
 * result that does not fulfil all conditions is dropped. Tested by boxed_lcp_methods/share_what_is_carried in
 * tests/solver/test_boxed_lcp_methods.c. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "solver/lcp/coupled.h"
#include "solver/lcp/least.h"

/* What counts as zero in w: this times the largest |b|. */
static const double zero = 1e-9;

static bool is_tied(const AbutBoxedLcp *problem, const AbutBoxedRoom *room, int i, double below)
{
	const int j = problem->friction[i];
	const bool may_move =
	    j < 0 ? problem->lo[i] < problem->hi[i] : problem->hi[i] > 0.0 && room->set[j] == ABUT_BOXED_CLAMPED;
	return (room->set[i] == ABUT_BOXED_LOWER || room->set[i] == ABUT_BOXED_UPPER) && may_move &&
	       fabs(room->w[i]) <= below;
}

/* Normal rows first: friction is tied only where its normal pushes, and otherwise goes against its velocity. False
 * where no row is tied. */
static bool add_tied(const AbutBoxedLcp *problem, AbutBoxedRoom *room)
{
	bool any = false;
	const double below = zero * abut_boxed_lcp_scale(problem);
	for (int friction = 0; friction < 2; friction++) {
		for (int i = 0; i < problem->n; i++) {
			if ((problem->friction[i] >= 0) != (friction > 0)) {
				continue;
			}
			if (is_tied(problem, room, i, below)) {
				room->set[i] = ABUT_BOXED_CLAMPED;
				any = true;
			} else if (friction && room->x[i] == 0.0 && room->set[i] != ABUT_BOXED_CLAMPED &&
			           room->set[i] != ABUT_BOXED_IDLE) {
				room->set[i] = room->w[i] > 0.0 ? ABUT_BOXED_LOWER : ABUT_BOXED_UPPER;
			}
		}
	}
	return any;
}

/* Solves for the clamped rows from zero on, by which the least of all solutions is found. */
static bool solve_from_zero(const AbutBoxedLcp *problem, AbutBoxedRoom *room)
{
	room->factor.m = 0;
	for (int i = 0; i < problem->n; i++) {
		room->coupled_x[i] = room->x[i];
		if (room->set[i] == ABUT_BOXED_CLAMPED) {
			room->coupled_x[i] = 0.0;
			room->factor.index[room->factor.m++] = i;
		}
	}
	return abut_boxed_lcp_solve_sets(problem, room, room->coupled_x, room->coupled_w);
}

/* Clamped rows that left their boxes go to the bound. False where there are none. */
static bool bound_those_outside(const AbutBoxedLcp *problem, AbutBoxedRoom *room)
{
	const double *x = room->coupled_x;
	bool any = false;
	for (int i = 0; i < problem->n; i++) {
		const int j = problem->friction[i];
		const double bound = j >= 0 ? problem->hi[i] * abut_max(x[j], 0.0) : 0.0;
		const double lower = j >= 0 ? -bound : problem->lo[i], upper = j >= 0 ? bound : problem->hi[i];
		if (room->set[i] == ABUT_BOXED_CLAMPED && (x[i] < lower || x[i] > upper)) {
			room->set[i] = x[i] < lower ? ABUT_BOXED_LOWER : ABUT_BOXED_UPPER;
			any = true;
		}
	}
	return any;
}

void abut_boxed_lcp_least(const AbutBoxedLcp *problem, AbutBoxedRoom *room)
{
	enum { rounds = 10 };
	const size_t size = (size_t)problem->n * sizeof(double);
	const double allowed = abut_max(ABUT_BOXED_TOLERANCE * abut_boxed_lcp_scale(problem),
	                                abut_boxed_lcp_residual(problem, room, room->x, room->w, true));
	memcpy(room->kept, room->set, (size_t)problem->n * sizeof *room->set);
	if (!add_tied(problem, room) && room->least) {
		return;
	}
	for (int round = 0; round < rounds && solve_from_zero(problem, room); round++) {
		if (abut_boxed_lcp_residual(problem, room, room->coupled_x, room->coupled_w, true) <= allowed) {
			memcpy(room->x, room->coupled_x, size);
			memcpy(room->w, room->coupled_w, size);
			return;
		}
		if (!bound_those_outside(problem, room)) {
			break;
		}
	}
	memcpy(room->set, room->kept, (size_t)problem->n * sizeof *room->set);
}
