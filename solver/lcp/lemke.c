/* Solves a boxed problem by Lemke's method. A vector d, the cover, is chosen so that for a large t, x at its bounds
 * solves the problem with b + t d. From there, t is reduced to 0. One variable is driven at a time: an x_i that leaves
 * its bound, with w_i = 0, or a w_i that leaves zero, with x_i at its bound. The clamped x_C and t follow from
 *
 *     A_RC dx_C + A_RB dx_B + d_R dt = -A_Ri dx_i + dw_R,    R = C and i,
 *
 * with C the clamped rows and B the friction rows at a bound. Row k of B follows its normal row j: dx_k = +-hi_k dx_j.
 * The step ends when a variable reaches its bound or zero; the variable complementary to it is driven next. In the
 * standard form, with x_t = p - q and a multiplier l,
 *
 *     0 <= x_n  _|_  w_n >= 0,                  0 <= p  _|_  w_t + l >= 0,
 *     0 <= l    _|_  hi x_n - p - q >= 0,       0 <= q  _|_  l - w_t >= 0,
 *
 * a step is one pivot, or two pivots that only exchange p and q. The matrix of this form is copositive. Therefore, with
 * the b of contacts (J v + c with c >= 0, or points that can be separated), t reaches 0 except for rounding, for any
 * friction coefficients. The entries of d differ, so that no two events coincide before t = 0. Those of friction rows
 * are small compared with those of their normals, so that d'x > 0. Tested by
 * boxed_lcp_methods/find_what_enumeration_finds in tests/solver/test_boxed_lcp_methods.c. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "solver/lcp/coupled.h"
#include "solver/lcp/lemke.h"
#include "solver/lcp/small_lu.h"

/* A sum counts as zero if it is below this share of the sum of the sizes of its terms. */
static const double rounding = 0x1p-44;

enum { pivots_each = 20, pivots_more = 50 };

typedef struct Lemke {
	const AbutBoxedLcp *problem;
	AbutBoxedRoom *room;
	double *cover; /* d */
	double t, dt;
	int driven;
	bool inwards; /* true: x_i leaves its bound; false: w_i leaves zero */
} Lemke;

static bool at_bound(const Lemke *l, int i)
{
	return l->room->set[i] == ABUT_BOXED_LOWER || l->room->set[i] == ABUT_BOXED_UPPER;
}

/* Returns the sign of the direction from x's bound into the box, which is also the sign of w there. */
static double into(const Lemke *l, int i)
{
	return l->room->set[i] == ABUT_BOXED_LOWER ? 1.0 : -1.0;
}

/* Returns whether x_i moves. Friction rows have an interval of positive width only if their normal row moves. */
static bool moves(const Lemke *l, int i)
{
	return l->room->set[i] == ABUT_BOXED_CLAMPED || (l->inwards && i == l->driven);
}

/* Returns the factor by which x_i follows its normal impulse. */
static double slope(const Lemke *l, int i)
{
	return l->problem->friction[i] >= 0 && at_bound(l, i) ? -into(l, i) * l->problem->hi[i] : 0.0;
}

/* Returns whether a friction row has an interval of width zero, because its normal row does not move. */
static bool hangs_loose(const Lemke *l, int i)
{
	return l->problem->friction[i] >= 0 && !moves(l, l->problem->friction[i]);
}

/* Returns dw of row r for a unit change of x_i, including the rows that follow x_i. */
static double entry(const Lemke *l, int r, int i)
{
	double sum = abut_boxed_lcp_row(l->problem, r)[i];
	for (int k = 0; l->problem->friction[i] < 0 && k < l->problem->n; k++) {
		if (l->problem->friction[k] == i) {
			sum += slope(l, k) * abut_boxed_lcp_row(l->problem, r)[k];
		}
	}
	return sum;
}

/* --- one step --- */

/* Computes dx of the clamped indices, and dt, for a unit change of the driven variable. */
static bool answer(Lemke *l)
{
	AbutBoxedRoom *room = l->room;
	const int m = room->factor.m, *index = room->factor.index, i = l->driven;
	double *right = room->twice;
	for (int r = 0; r <= m; r++) {
		const int row = r < m ? index[r] : i;
		for (int k = 0; k < m; k++) {
			room->K[(size_t)k * (size_t)(m + 1) + (size_t)r] = entry(l, row, index[k]);
		}
		room->K[(size_t)m * (size_t)(m + 1) + (size_t)r] = l->cover[row];
		right[r] = l->inwards ? -into(l, i) * entry(l, row, i) : r == m ? into(l, i) : 0.0;
	}
	if (!abut_small_lu_factorise(m + 1, room->K, room->pivots, l->problem->stop)) {
		return false;
	}
	abut_small_lu_solve(m + 1, room->K, room->pivots, right);
	memset(room->dx, 0, (size_t)l->problem->n * sizeof *room->dx);
	for (int k = 0; k < m; k++) {
		room->dx[index[k]] = right[k];
	}
	l->dt = right[m];
	return isfinite(l->dt);
}

/* Computes dx of all indices, and dw of those at a bound. */
static bool direction(Lemke *l)
{
	AbutBoxedRoom *room = l->room;
	if (!answer(l)) {
		return false;
	}
	if (l->inwards) {
		room->dx[l->driven] = into(l, l->driven);
	}
	for (int i = 0; i < l->problem->n; i++) {
		if (slope(l, i) != 0.0 && !hangs_loose(l, i)) {
			room->dx[i] += slope(l, i) * room->dx[l->problem->friction[i]];
		}
	}
	for (int i = 0; i < l->problem->n; i++) {
		double sum = l->cover[i] * l->dt, size = fabs(sum);
		for (int k = 0; k < l->problem->n; k++) {
			const double term = abut_boxed_lcp_row(l->problem, i)[k] * room->dx[k];
			sum += term;
			size += fabs(term);
		}
		const bool held = !at_bound(l, i) || (l->inwards && i == l->driven);
		room->dw[i] = held || fabs(sum) <= rounding * size ? 0.0 : sum;
	}
	return true;
}

/* The end of a step: t reaches 0 (index -1), x_i reaches a bound, or w_i reaches zero (`set` clamped). */
typedef struct Event {
	double step;
	int index;
	AbutBoxedSet set;
} Event;

static void meet(Event *first, double way, double speed, int index, AbutBoxedSet set)
{
	if (speed > 0.0 && abut_max(way, 0.0) / speed < first->step) {
		*first = (Event){abut_max(way, 0.0) / speed, index, set};
	}
}

static Event first_event(const Lemke *l)
{
	const AbutBoxedLcp *p = l->problem;
	const AbutBoxedRoom *room = l->room;
	Event first = {(double)INFINITY, -1, ABUT_BOXED_CLAMPED};
	meet(&first, l->t, -l->dt, -1, ABUT_BOXED_CLAMPED);
	for (int i = 0; i < p->n; i++) {
		const int j = p->friction[i];
		if (moves(l, i)) {
			const double lower = j >= 0 ? -p->hi[i] * room->x[j] : p->lo[i];
			const double upper = j >= 0 ? p->hi[i] * room->x[j] : p->hi[i];
			const double opens = j >= 0 ? p->hi[i] * room->dx[j] : 0.0;
			const bool leaves_lower = i == l->driven && into(l, i) > 0.0;
			const bool leaves_upper = i == l->driven && into(l, i) < 0.0;
			if (!leaves_lower) {
				meet(&first, room->x[i] - lower, -room->dx[i] - opens, i, ABUT_BOXED_LOWER);
			}
			if (!leaves_upper) {
				meet(&first, upper - room->x[i], room->dx[i] - opens, i, ABUT_BOXED_UPPER);
			}
		} else if (at_bound(l, i) && i != l->driven && !hangs_loose(l, i) && (j >= 0 || p->lo[i] < p->hi[i])) {
			meet(&first, into(l, i) * room->w[i], -into(l, i) * room->dw[i], i, ABUT_BOXED_CLAMPED);
		}
	}
	return first;
}

static void take_step(Lemke *l, double step)
{
	AbutBoxedRoom *room = l->room;
	l->t += step * l->dt;
	for (int i = 0; i < l->problem->n; i++) {
		room->x[i] += step * room->dx[i];
		room->w[i] = at_bound(l, i) ? room->w[i] + step * room->dw[i] : 0.0;
	}
}

/* --- from step to step --- */

/* Drives x_i off its bound. Friction rows of a normal that begins to push oppose their velocities. */
static void drive_inwards(Lemke *l, int i)
{
	l->driven = i;
	l->inwards = true;
	for (int k = 0; k < l->problem->n; k++) {
		if (l->problem->friction[k] == i && at_bound(l, k)) {
			l->room->set[k] = l->room->w[k] > 0.0 ? ABUT_BOXED_LOWER : ABUT_BOXED_UPPER;
		}
	}
}

static void clamp_driven(const Lemke *l)
{
	AbutClampedFactor *factor = &l->room->factor;
	if (l->inwards) {
		l->room->set[l->driven] = ABUT_BOXED_CLAMPED;
		factor->index[factor->m++] = l->driven;
	}
}

static void release(const Lemke *l, int i)
{
	AbutClampedFactor *factor = &l->room->factor;
	int kept = 0;
	for (int k = 0; k < factor->m; k++) {
		factor->index[kept] = factor->index[k];
		kept += factor->index[k] != i;
	}
	factor->m = kept;
}

static void pivot(Lemke *l, const Event *event)
{
	const int i = event->index;
	if (i != l->driven) {
		clamp_driven(l);
	}
	if (i < 0) {
		return;
	}
	if (event->set == ABUT_BOXED_CLAMPED) {
		drive_inwards(l, i);
		return;
	}
	release(l, i);
	l->room->set[i] = event->set;
	l->room->w[i] = 0.0;
	l->driven = i;
	l->inwards = false;
}

/* Returns a number between 0 and 1 that looks random but depends only on i. */
static double scatter(int i)
{
	static const double golden = 0.61803398874989485;
	const double multiple = golden * (i + 1);
	return multiple - floor(multiple);
}

static void fill_cover(const Lemke *l)
{
	const AbutBoxedLcp *p = l->problem;
	for (int i = 0; i < p->n; i++) {
		const int j = p->friction[i] >= 0 ? p->friction[i] : i;
		const double size = sqrt(abut_boxed_lcp_row(l->problem, j)[j]) * (1.0 + 0.5 * scatter(j));
		l->cover[i] =
		    p->friction[i] < 0 ? into(l, i) * size : 0.1 * (scatter(i) - 0.5) * size / (1.0 + p->hi[i]);
	}
}

/* Sets x to its bounds. Returns false if a row has no finite bound. */
static bool set_out(const Lemke *l)
{
	const AbutBoxedLcp *p = l->problem;
	AbutBoxedRoom *room = l->room;
	const double idle = abut_boxed_lcp_idle_below(p);
	room->factor.m = 0;
	for (int i = 0; i < p->n; i++) {
		const bool friction = p->friction[i] >= 0, lower = friction || isfinite(p->lo[i]);
		room->lower[i] = friction ? 0.0 : p->lo[i];
		room->upper[i] = friction ? 0.0 : p->hi[i];
		room->set[i] = abut_boxed_lcp_row(l->problem, i)[i] <= idle ? ABUT_BOXED_IDLE
		               : lower                                      ? ABUT_BOXED_LOWER
		                                                            : ABUT_BOXED_UPPER;
		room->x[i] = room->set[i] == ABUT_BOXED_IDLE ? 0.0 : lower ? room->lower[i] : p->hi[i];
		if (!isfinite(room->x[i])) {
			return false;
		}
	}
	return true;
}

/* Finds the smallest t for which x at its bounds solves the problem, and the variable to drive first. Returns false if
 * this t is 0. */
static bool begin(Lemke *l)
{
	const AbutBoxedLcp *p = l->problem;
	AbutBoxedRoom *room = l->room;
	abut_boxed_lcp_product(p, room->x, room->w);
	fill_cover(l);
	l->driven = -1;
	for (int i = 0; i < p->n; i++) {
		const double need = -room->w[i] / l->cover[i];
		if (p->friction[i] < 0 && at_bound(l, i) && p->lo[i] < p->hi[i] && need > l->t) {
			l->t = need;
			l->driven = i;
		}
	}
	if (l->driven < 0) {
		return false;
	}
	for (int i = 0; i < p->n; i++) {
		room->w[i] += l->t * l->cover[i];
	}
	drive_inwards(l, l->driven);
	return true;
}

/* Reduces t to zero. If A is singular, b is often in its range, but d never is. Then t is at rounding when the last
 * clamped index arrives. */
static bool follow_to_zero(Lemke *l, AbutBoxedReport *report)
{
	static const double arrived = 0x1p-42;
	const int most = pivots_each * l->problem->n + pivots_more;
	const double below = arrived * l->t;
	while (report->pivots++ < most) {
		if (abut_stopped_after(l->problem->stop, l->problem->n) || !direction(l)) {
			return false;
		}
		const Event event = first_event(l);
		if (!isfinite(event.step)) {
			return false;
		}
		take_step(l, event.step);
		pivot(l, &event);
		if (event.index < 0 || l->t <= below) {
			return true;
		}
	}
	return false;
}

void abut_boxed_lcp_lemke(const AbutBoxedLcp *problem, AbutBoxedRoom *room, AbutBoxedReport *report)
{
	Lemke l = {.problem = problem, .room = room, .cover = room->dc};
	*report = (AbutBoxedReport){.status = ABUT_BOXED_FAILED, .method = ABUT_BOXED_LEMKE, .passes = 1};
	if (!set_out(&l) || (begin(&l) && !follow_to_zero(&l, report))) {
		return;
	}
	abut_boxed_lcp_product(problem, room->x, room->w);
	abut_boxed_lcp_couple(problem, room);
	report->residual = abut_boxed_lcp_residual(problem, room, room->x, room->w, true);
	if (report->residual <= ABUT_BOXED_NEARLY * abut_boxed_lcp_scale(problem)) {
		report->status = ABUT_BOXED_SOLVED;
	}
}
