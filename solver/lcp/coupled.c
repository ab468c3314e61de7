/* Solves the equations in which friction at its bound follows the normal impulse, and checks whether the result solves
 * the problem. Also computes the solution of least effort. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "solver/lcp/coupled.h"
#include "solver/lcp/small_lu.h"

double abut_boxed_lcp_slope(const AbutBoxedLcp *problem, const AbutBoxedRoom *room, int i)
{
	const int j = problem->friction[i];
	if (j < 0 || room->set[j] != ABUT_BOXED_CLAMPED) {
		return 0.0;
	}
	return room->set[i] == ABUT_BOXED_UPPER   ? problem->hi[i]
	       : room->set[i] == ABUT_BOXED_LOWER ? -problem->hi[i]
	                                          : 0.0;
}

/* Fills K = A_CC + A_CB E, column-major; A is symmetric. */
static void fill_matrix(const AbutBoxedLcp *problem, const AbutBoxedRoom *room, double *K)
{
	const int m = room->factor.m, *index = room->factor.index;
	int *place = room->pivots; /* place of a clamped index in the list */
	for (int k = 0; k < m; k++) {
		const double *a = abut_boxed_lcp_row(problem, index[k]);
		double *column = &K[(size_t)k * (size_t)m];
		place[index[k]] = k;
		for (int r = 0; r < m; r++) {
			column[r] = a[index[r]];
		}
	}
	for (int i = 0; i < problem->n; i++) {
		const double slope = abut_boxed_lcp_slope(problem, room, i);
		const double *a = abut_boxed_lcp_row(problem, i);
		for (int r = 0; slope != 0.0 && r < m; r++) {
			K[(size_t)place[problem->friction[i]] * (size_t)m + (size_t)r] += slope * a[index[r]];
		}
	}
}

static double largest(int m, const double *v)
{
	double out = 0.0;
	for (int r = 0; r < m; r++) {
		out = abut_max(out, isfinite(v[r]) ? fabs(v[r]) : (double)INFINITY);
	}
	return out;
}

/* Computes left = right - K x for one column. Returns the largest size of its entries. */
static double remainder_of(int m, const double *K, const double *x, const double *right, double *left)
{
	memcpy(left, right, (size_t)m * sizeof(double));
	abut_small_subtract_product(m, K, x, left);
	return largest(m, left);
}

/* Adds K^-1 change to x. `change` becomes the remaining right-hand side. Returns true if the remainder is rounding. */
static bool correct(int m, const AbutBoxedRoom *room, const double *right, double *x, double *change, double *worst)
{
	abut_small_lu_solve(m, room->K, room->pivots, change);
	for (int k = 0; k < m; k++) {
		x[k] += change[k];
	}
	const double left = remainder_of(m, room->regular, x, right, change);
	*worst = abut_max(*worst, left);
	return left <= 0x1p-52 * largest(m, right);
}

double abut_boxed_lcp_solve_clamped(const AbutBoxedLcp *problem, AbutBoxedRoom *room, int n_rhs, double *right,
                                    double *scratch)
{
	static const double epsilon = 1e-8;
	enum { rounds = 4 };
	const int m = room->factor.m;
	const size_t all = (size_t)m * (size_t)n_rhs;
	double *x = scratch, *change = scratch + all, worst = 0.0;
	if (m == 0) {
		return 0.0;
	}
	fill_matrix(problem, room, room->regular);
	memcpy(room->K, room->regular, (size_t)m * (size_t)m * sizeof(double));
	for (int k = 0; k < m; k++) {
		const size_t i = (size_t)room->factor.index[k];
		room->K[(size_t)k * (size_t)m + (size_t)k] += epsilon * problem->A[i * (size_t)problem->n + i];
	}
	if (!abut_small_lu_factorise(m, room->K, room->pivots, problem->stop)) {
		return (double)INFINITY;
	}
	memset(x, 0, all * sizeof(double));
	memcpy(change, right, all * sizeof(double));
	bool settled = false;
	for (int round = 0; round < rounds && !settled; round++) {
		worst = 0.0;
		settled = true;
		for (int c = 0; c < n_rhs; c++) {
			const size_t first = (size_t)c * (size_t)m;
			settled = correct(m, room, &right[first], &x[first], &change[first], &worst) && settled;
		}
	}
	memcpy(right, x, all * sizeof(double));
	return worst;
}

/* Sets x of the rows that are not clamped to their bounds. Bounds of friction rows follow from x itself. */
static void follow(const AbutBoxedLcp *problem, const AbutBoxedRoom *room, double *x)
{
	for (int i = 0; i < problem->n; i++) {
		if (room->set[i] == ABUT_BOXED_IDLE) {
			x[i] = 0.0;
		} else if (room->set[i] != ABUT_BOXED_CLAMPED && problem->friction[i] < 0) {
			x[i] = room->set[i] == ABUT_BOXED_LOWER ? problem->lo[i] : problem->hi[i];
		}
	}
	for (int i = 0; i < problem->n; i++) {
		if (room->set[i] != ABUT_BOXED_CLAMPED && room->set[i] != ABUT_BOXED_IDLE &&
		    problem->friction[i] >= 0) {
			x[i] = abut_boxed_lcp_slope(problem, room, i) * x[problem->friction[i]];
		}
	}
}

/* Computes x_C by the smallest change for which w_C is zero while the other rows follow their bounds. Then computes w.
 * Returns false if there is no result. */
static bool solve_sets(const AbutBoxedLcp *problem, AbutBoxedRoom *room, double *x, double *w)
{
	const int m = room->factor.m, *index = room->factor.index;
	follow(problem, room, x);
	abut_boxed_lcp_product(problem, x, w);
	for (int k = 0; k < m; k++) {
		room->dc[k] = -w[index[k]];
	}
	if (!isfinite(abut_boxed_lcp_solve_clamped(problem, room, 1, room->dc, room->twice))) {
		return false;
	}
	for (int k = 0; k < m; k++) {
		x[index[k]] += room->dc[k];
	}
	follow(problem, room, x);
	abut_boxed_lcp_product(problem, x, w);
	return true;
}

/* Changes the sets of rows whose natural residual is at least `from`. Returns whether a set has changed. */
static bool change_sets(const AbutBoxedLcp *problem, AbutBoxedRoom *room, const double *x, const double *w, double from)
{
	bool changed = false;
	room->factor.m = 0;
	for (int i = 0; i < problem->n; i++) {
		double lower, upper;
		abut_boxed_lcp_box(problem, x, i, &lower, &upper);
		const double weight = abut_boxed_lcp_row(problem, i)[i], to = x[i] - w[i] / weight;
		const AbutBoxedSet before = room->set[i];
		if (before != ABUT_BOXED_IDLE && fabs(x[i] - abut_min(abut_max(to, lower), upper)) * weight >= from) {
			room->set[i] = to <= lower   ? ABUT_BOXED_LOWER
			               : to >= upper ? ABUT_BOXED_UPPER
			                             : ABUT_BOXED_CLAMPED;
		}
		changed = changed || room->set[i] != before;
		if (room->set[i] == ABUT_BOXED_CLAMPED) {
			room->factor.index[room->factor.m++] = i;
		}
	}
	return changed;
}

bool abut_boxed_lcp_change_sets(const AbutBoxedLcp *problem, AbutBoxedRoom *room, const double *x, const double *w)
{
	return change_sets(problem, room, x, w, 0.0);
}

/* Solves with the present sets. As long as the result violates conditions, moves rows to the sets that it implies. This
 * is a semismooth Newton method, which mostly converges in a few rounds. After several rounds, only the most violated
 * rows change, since the method may cycle. With `from_zero`, impulses that A does not determine are those of least
 * effort. If no solution is found, the sets are the last ones tried. */
static bool find_sets(const AbutBoxedLcp *problem, AbutBoxedRoom *room, bool from_zero)
{
	enum { most = 20, at_once = 10 };
	static const double far = 0.5;
	const size_t size = (size_t)problem->n * sizeof(double);
	double *x = room->coupled_x, *w = room->coupled_w;
	memcpy(x, room->x, size);
	for (int round = 0; round < most; round++) {
		if (from_zero) {
			memset(x, 0, size);
		}
		if (!solve_sets(problem, room, x, w)) {
			return false;
		}
		const double residual = abut_boxed_lcp_residual(problem, room, x, w, true);
		if (residual <= ABUT_BOXED_TOLERANCE * abut_boxed_lcp_scale(problem)) {
			memcpy(room->x, x, size);
			memcpy(room->w, w, size);
			return true;
		}
		if (!change_sets(problem, room, x, w, round < at_once ? 0.0 : far * residual)) {
			return false;
		}
	}
	return false;
}

/* Starts with all rows clamped, because all contacts stick in most steps. */
bool abut_boxed_lcp_stick(const AbutBoxedLcp *problem, AbutBoxedRoom *room)
{
	const double idle = abut_boxed_lcp_idle_below(problem);
	room->factor.m = 0;
	for (int i = 0; i < problem->n; i++) {
		room->x[i] = 0.0;
		room->lower[i] = problem->lo[i]; /* not used for friction here */
		room->upper[i] = problem->hi[i];
		room->set[i] = ABUT_BOXED_IDLE;
		if (abut_boxed_lcp_row(problem, i)[i] > idle) {
			room->set[i] = ABUT_BOXED_CLAMPED;
			room->factor.index[room->factor.m++] = i;
		}
	}
	room->least = find_sets(problem, room, true);
	return room->least;
}

/* If no solution is found, the sets remain those of x. Tested by boxed_lcp/sets_are_those_of_x. */
bool abut_boxed_lcp_couple(const AbutBoxedLcp *problem, AbutBoxedRoom *room)
{
	const size_t size = (size_t)problem->n * sizeof *room->set;
	if (abut_boxed_lcp_residual(problem, room, room->x, room->w, true) <=
	    ABUT_BOXED_TOLERANCE * abut_boxed_lcp_scale(problem)) {
		return true; /* nothing slides, or the normal impulses do not change */
	}
	memcpy(room->kept, room->set, size);
	if (find_sets(problem, room, false)) {
		return true;
	}
	memcpy(room->set, room->kept, size);
	return false;
}

/* --- the solution of least effort --- */

/* Share of the largest |b|. w counts as zero below this value. */
static const double zero = 1e-9;

static bool is_tied(const AbutBoxedLcp *problem, const AbutBoxedRoom *room, int i, double below)
{
	const int j = problem->friction[i];
	const bool may_move =
	    j < 0 ? problem->lo[i] < problem->hi[i] : problem->hi[i] > 0.0 && room->set[j] == ABUT_BOXED_CLAMPED;
	return (room->set[i] == ABUT_BOXED_LOWER || room->set[i] == ABUT_BOXED_UPPER) && may_move &&
	       fabs(room->w[i]) <= below;
}

/* Clamps the tied rows (at a bound with w = 0), first normal rows, then friction rows. A friction row is tied only if
 * its normal pushes; otherwise it opposes its velocity. Returns false if no row is tied. */
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

/* Solves for the clamped rows from zero, which gives the smallest of all solutions. */
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
	return solve_sets(problem, room, room->coupled_x, room->coupled_w);
}

/* Moves clamped rows that have left their boxes to the bound. Returns false if there are none. */
static bool bound_those_outside(const AbutBoxedLcp *problem, AbutBoxedRoom *room)
{
	const double *x = room->coupled_x;
	bool any = false;
	for (int i = 0; i < problem->n; i++) {
		double lower, upper;
		abut_boxed_lcp_box(problem, x, i, &lower, &upper);
		if (room->set[i] == ABUT_BOXED_CLAMPED && (x[i] < lower || x[i] > upper)) {
			room->set[i] = x[i] < lower ? ABUT_BOXED_LOWER : ABUT_BOXED_UPPER;
			any = true;
		}
	}
	return any;
}

/* Replaces impulses that A does not determine, for example those of four points of a face, by those of least effort
 * (Nimble, appendix B). Tied rows, which are at their bound with w = 0, join the clamped rows. Among all x of these
 * rows with w = 0, the one with the smallest sum of A_ii x_i^2 is taken. Rows that leave their boxes go to the bound,
 * and the other rows are solved again. A result that violates a condition is not used. Tested by
 * boxed_lcp_methods/share_what_is_carried in tests/solver/test_boxed_lcp_methods.c. */
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
