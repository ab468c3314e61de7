/* Solves a boxed problem by Dantzig's method (Baraff 1994, with a box). In each pass, one index after the other enters.
 */
#include "solver/lcp/dantzig.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/vec3.h"
#include "solver/lcp/blocks.h"
#include "solver/lcp/coupled.h"

/* Largest number of pivots for one index: pivots_each n + pivots_more. */
enum { pivots_each = 20, pivots_more = 50 };

typedef struct Dantzig {
	const AbutBoxedLcp *problem;
	AbutBoxedRoom *room;
	AbutBoxedReport *report;
	double idle;   /* A row with an A_ii up to this value moves only by rounding */
	double enough; /* residual, relative to the largest |b|, at which a pass ends */
} Dantzig;

/* --- the clamped indices --- */

/* Clamps the index whose Schur complement was computed last. */
static bool clamp_driven(const Dantzig *d, int i, double schur)
{
	AbutBoxedRoom *room = d->room;
	if (!(schur > 0.0)) {
		return false;
	}
	abut_clamped_factor_append(&room->factor, i, schur);
	room->set[i] = ABUT_BOXED_CLAMPED;
	room->w[i] = 0.0;
	return true;
}

static bool clamp(const Dantzig *d, int i)
{
	return clamp_driven(d, i, abut_clamped_factor_schur(&d->room->factor, i));
}

/* Moves the clamped index at place k of the list to a bound. */
static void release(const Dantzig *d, int k, AbutBoxedSet set)
{
	AbutBoxedRoom *room = d->room;
	const int i = room->factor.index[k];
	abut_clamped_factor_remove(&room->factor, k);
	room->set[i] = set;
	room->x[i] = set == ABUT_BOXED_LOWER ? room->lower[i] : room->upper[i];
}

/* --- driving one index --- */

/* Adds A_.C dc to dw, and the sizes of its terms to `size`. Columns of A are its rows, because A is symmetric. */
ABUT_CLONES static void add_columns(const Dantzig *d, double *restrict dw, double *restrict size)
{
	const AbutClampedFactor *factor = &d->room->factor;
	for (int k = 0; k < factor->m; k++) {
		const double *a = abut_boxed_lcp_row(d->problem, factor->index[k]), change = d->room->dc[k];
		for (int j = 0; change != 0.0 && j < d->problem->n; j++) {
			dw[j] += a[j] * change;
			size[j] += fabs(a[j] * change);
		}
	}
}

/* Computes dx of the clamped indices, and dw of the other indices that have entered, for a unit step of x_i along
 * `sign`. Returns dw_i. */
static double direction(const Dantzig *d, int i, double sign)
{
	AbutBoxedRoom *room = d->room;
	AbutClampedFactor *factor = &room->factor;
	const double schur = abut_clamped_factor_schur(factor, i);
	const int m = factor->m;
	memcpy(room->dc, factor->row, (size_t)m * sizeof(double));
	abut_clamped_factor_back(factor, room->dc);
	for (int k = 0; k < m; k++) {
		room->dc[k] *= -sign;
	}
	double *dw = room->dw, *size = room->twice;
	for (int j = 0; j < d->problem->n; j++) {
		dw[j] = sign * abut_boxed_lcp_row(d->problem, i)[j];
		size[j] = fabs(dw[j]);
	}
	add_columns(d, dw, size);
	for (int j = 0; j < d->problem->n; j++) {
		const bool still =
		    !room->entered[j] || room->set[j] == ABUT_BOXED_CLAMPED || room->set[j] == ABUT_BOXED_IDLE;
		dw[j] = still || fabs(dw[j]) <= ABUT_BOXED_ROUNDING * size[j] ? 0.0 : dw[j];
	}
	return sign * schur;
}

/* The end of a step. */
typedef struct Event {
	double step;
	int place;        /* place of the clamped index that reaches a bound, or -1 */
	int index;        /* index at a bound whose w reaches zero, or -1 */
	AbutBoxedSet set; /* new set of the clamped index or of the driven one */
} Event;

/* Returns how far x_i may go at the rate dx before it reaches a bound. */
static double way_to_bound(const AbutBoxedRoom *room, int i, double dx, AbutBoxedSet *set)
{
	*set = dx > 0.0 ? ABUT_BOXED_UPPER : ABUT_BOXED_LOWER;
	const double way = dx > 0.0 ? room->upper[i] - room->x[i] : room->x[i] - room->lower[i];
	return dx == 0.0 ? (double)INFINITY : abut_max(way, 0.0) / fabs(dx);
}

/* Finds the first event when i is driven along `sign`. If both places are -1, i itself arrives: at a bound, or at w = 0
 * (`set` clamped). */
static Event first_event(const Dantzig *d, int i, double sign, double dw)
{
	AbutBoxedRoom *room = d->room;
	AbutBoxedSet set;
	Event first = {way_to_bound(room, i, sign, &set), -1, -1, set};
	if (-room->w[i] / dw <= first.step) {
		first.step = -room->w[i] / dw;
		first.set = ABUT_BOXED_CLAMPED;
	}
	for (int k = 0; k < room->factor.m; k++) {
		const double step = way_to_bound(room, room->factor.index[k], room->dc[k], &set);
		if (step < first.step) {
			first = (Event){step, k, -1, set};
		}
	}
	for (int j = 0; j < d->problem->n; j++) {
		const double change = room->dw[j];
		if (j == i || change == 0.0 || room->lower[j] == room->upper[j]) {
			continue;
		}
		const double w = room->set[j] == ABUT_BOXED_LOWER ? room->w[j] : -room->w[j];
		const double towards = room->set[j] == ABUT_BOXED_LOWER ? -change : change;
		if (towards > 0.0 && abut_max(w, 0.0) / towards < first.step) {
			first = (Event){abut_max(w, 0.0) / towards, -1, j, ABUT_BOXED_CLAMPED};
		}
	}
	return first;
}

static void take_step(const Dantzig *d, int i, double sign, double dw, double step)
{
	AbutBoxedRoom *room = d->room;
	room->x[i] += step * sign;
	room->w[i] += step * dw;
	for (int k = 0; k < room->factor.m; k++) {
		room->x[room->factor.index[k]] += step * room->dc[k];
	}
	for (int j = 0; j < d->problem->n; j++) {
		if (j != i) {
			room->w[j] += step * room->dw[j];
		}
	}
}

/* Drives index i until x_i is at a bound, or w_i is zero. */
static AbutBoxedStatus drive(const Dantzig *d, int i)
{
	AbutBoxedRoom *room = d->room;
	const double sign = room->w[i] < 0.0 ? 1.0 : -1.0;
	const int most = d->report->pivots + pivots_each * d->problem->n + pivots_more;
	while (!abut_stopped_after(d->problem->stop, d->problem->n) && d->report->pivots++ < most) {
		const double dw = direction(d, i, sign);
		const Event event = first_event(d, i, sign, dw);
		if (!isfinite(event.step)) {
			return ABUT_BOXED_FAILED;
		}
		take_step(d, i, sign, dw, event.step);
		if (event.place >= 0) {
			release(d, event.place, event.set);
		} else if (event.index >= 0) {
			if (!clamp(d, event.index)) {
				return ABUT_BOXED_FAILED;
			}
		} else if (event.set != ABUT_BOXED_CLAMPED) {
			room->set[i] = event.set;
			room->x[i] = event.set == ABUT_BOXED_LOWER ? room->lower[i] : room->upper[i];
			return ABUT_BOXED_SOLVED;
		} else {
			return clamp_driven(d, i, fabs(dw)) ? ABUT_BOXED_SOLVED : ABUT_BOXED_FAILED;
		}
	}
	return ABUT_BOXED_FAILED;
}

/* --- a pass --- */

/* Lets the index enter from its present x. */
static AbutBoxedStatus enter(const Dantzig *d, int i)
{
	AbutBoxedRoom *room = d->room;
	double size;
	room->w[i] = abut_boxed_lcp_value(d->problem, room->x, i, &size);
	const bool zero = fabs(room->w[i]) <= ABUT_BOXED_ROUNDING * size;
	AbutBoxedStatus status = ABUT_BOXED_SOLVED;
	if (abut_boxed_lcp_row(d->problem, i)[i] <= d->idle) {
		room->set[i] = ABUT_BOXED_IDLE;
	} else if (room->x[i] == room->lower[i] && (room->w[i] >= 0.0 || zero)) {
		room->set[i] = ABUT_BOXED_LOWER;
	} else if (room->x[i] == room->upper[i] && (room->w[i] <= 0.0 || zero)) {
		room->set[i] = ABUT_BOXED_UPPER;
	} else if (!zero) {
		status = drive(d, i);
	} else if (!clamp(d, i)) {
		status = ABUT_BOXED_FAILED;
	}
	room->entered[i] = true;
	return status;
}

/* Computes the bounds of friction rows from the normal impulses. */
static void set_bounds(const Dantzig *d)
{
	for (int i = 0; i < d->problem->n; i++) {
		abut_boxed_lcp_box(d->problem, d->room->x, i, &d->room->lower[i], &d->room->upper[i]);
	}
}

/* Where the bounds of friction come from. */
typedef enum Bounds {
	FROM_FRICTIONLESS, /* the problem without friction, solved first */
	FROM_X,            /* the normal impulses in x */
	AS_THEY_ARE
} Bounds;

/* Refines a solution of the regularised problem to one of A and b with the same sets: x_C -= (A + epsilon D)_CC^-1 w_C,
 * a few times. Each round multiplies w_C by about epsilon over the smallest nonzero eigenvalues of A_CC. */
static void refine(const Dantzig *d)
{
	enum { most = 8 };
	AbutBoxedRoom *room = d->room;
	const AbutClampedFactor *factor = &room->factor;
	for (int round = 0; round < most; round++) {
		bool zero = true;
		for (int k = 0; k < factor->m; k++) {
			double size;
			room->dc[k] = abut_boxed_lcp_value(d->problem, room->x, factor->index[k], &size);
			zero = zero && fabs(room->dc[k]) <= 0x1p-52 * size;
		}
		if (zero) {
			break;
		}
		abut_clamped_factor_solve(factor, room->dc);
		for (int k = 0; k < factor->m; k++) {
			room->x[factor->index[k]] -= room->dc[k];
		}
	}
	for (int k = 0; k < factor->m; k++) {
		const int i = factor->index[k];
		room->x[i] = abut_min(abut_max(room->x[i], room->lower[i]), room->upper[i]);
	}
	abut_boxed_lcp_product(d->problem, room->x, room->w);
}

/* Computes the bounds from normal impulses that are refined for the original problem with the same sets. x remains that
 * of the regularised problem. */
static void bound_by_refined(const Dantzig *d, const Dantzig *original)
{
	AbutBoxedRoom *room = d->room;
	const size_t n = (size_t)d->problem->n;
	memcpy(room->twice, room->x, n * sizeof(double));
	memcpy(room->twice + n, room->w, n * sizeof(double));
	refine(original);
	set_bounds(d);
	memcpy(room->x, room->twice, n * sizeof(double));
	memcpy(room->w, room->twice + n, n * sizeof(double));
}

/* Lets rows enter by block pivots, which is faster, and the remaining rows by Dantzig's method. */
static AbutBoxedStatus enter_part(const Dantzig *d, AbutBoxedStart start)
{
	AbutBoxedStatus status = ABUT_BOXED_SOLVED;
	if (abut_boxed_lcp_blocks(d->problem, d->room, start, d->idle, &d->report->pivots)) {
		return status;
	}
	for (int i = 0; status == ABUT_BOXED_SOLVED && i < d->problem->n; i++) {
		if (!d->room->entered[i] && (start != ABUT_BOXED_FRICTIONLESS || d->problem->friction[i] < 0)) {
			status = enter(d, i);
		}
	}
	return status;
}

/* Lets the normal rows enter, and then all rows, without checking the result. `d` is the regularised problem, and
 * `original` the problem itself. */
static AbutBoxedStatus enter_in_order(const Dantzig *d, const Dantzig *original, Bounds bounds)
{
	AbutBoxedStatus status = ABUT_BOXED_SOLVED;
	if (bounds == FROM_X) {
		set_bounds(d);
	} else if (bounds == FROM_FRICTIONLESS) {
		memset(d->room->x, 0, (size_t)d->problem->n * sizeof(double));
		set_bounds(d);
		status = enter_part(d, ABUT_BOXED_FRICTIONLESS);
		if (status == ABUT_BOXED_SOLVED) {
			bound_by_refined(d, original);
		}
	}
	const AbutBoxedStart start = bounds == AS_THEY_ARE ? ABUT_BOXED_FROM_SETS : ABUT_BOXED_FROM_GUESS;
	return status == ABUT_BOXED_SOLVED ? enter_part(d, start) : status;
}

/* Returns whether the refined x solves the problem with the bounds of the pass. */
static bool is_solved(const Dantzig *d)
{
	refine(d);
	d->report->residual = abut_boxed_lcp_residual(d->problem, d->room, d->room->x, d->room->w, false);
	return d->report->residual <= d->enough * abut_boxed_lcp_scale(d->problem);
}

/* Replaces the refined solution by `x` if `x` has the smaller residual. */
static void prefer(const Dantzig *d, const double *x)
{
	AbutBoxedRoom *room = d->room;
	const size_t size = (size_t)d->problem->n * sizeof(double);
	abut_boxed_lcp_product(d->problem, x, room->dw);
	const double residual = abut_boxed_lcp_residual(d->problem, room, x, room->dw, false);
	if (residual < d->report->residual) {
		d->report->residual = residual;
		memcpy(room->x, x, size);
		memcpy(room->w, room->dw, size);
	}
}

/* Runs the proximal point method. With D the diagonal of A, the regularised problems with A + epsilon D and b - epsilon
 * D x_before converge to a solution for A and b. Mostly the first of these solutions, refined, already is one. The best
 * x is kept. */
static AbutBoxedStatus run_regular(const Dantzig *d, Bounds bounds, double epsilon)
{
	enum { rounds = 3 };
	const AbutBoxedLcp *p = d->problem;
	AbutBoxedRoom *room = d->room;
	double *A = room->regular, *b = room->coupled_w, *before = room->coupled_x;
	AbutBoxedLcp regular = *p;
	const Dantzig own = {&regular, room, d->report, d->idle, d->enough};
	regular.A = A;
	regular.b = b;
	memcpy(A, p->A, (size_t)p->n * (size_t)p->n * sizeof(double));
	for (int i = 0; i < p->n; i++) {
		A[(size_t)i * (size_t)p->n + (size_t)i] *= 1.0 + epsilon;
		before[i] = 0.0;
	}
	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < p->n; i++) {
			b[i] = p->b[i] - epsilon * abut_boxed_lcp_row(d->problem, i)[i] * before[i];
		}
		if (enter_in_order(&own, d, round == 0 ? bounds : AS_THEY_ARE) != ABUT_BOXED_SOLVED) {
			d->report->residual = (double)INFINITY;
			return ABUT_BOXED_FAILED;
		}
		memcpy(before, room->x, (size_t)p->n * sizeof(double));
		if (is_solved(d)) {
			return ABUT_BOXED_SOLVED;
		}
		prefer(d, before);
	}
	return ABUT_BOXED_FAILED;
}

/* Runs a pass with several values of epsilon. Some rows depend on each other but require slightly different velocities,
 * for example eight points that are coplanar to rounding. They need an epsilon below this difference. */
static AbutBoxedStatus run_pass(const Dantzig *d, Bounds bounds)
{
	static const double epsilons[] = {1e-8, 1e-10, 1e-12, 1e-6};
	enum { attempts = sizeof epsilons / sizeof *epsilons };
	double best = (double)INFINITY;
	int nearest = 0;
	for (int i = 0; i < attempts; i++) {
		const Bounds own = i > 0 && bounds == FROM_X ? AS_THEY_ARE : bounds;
		if (run_regular(d, own, epsilons[i]) == ABUT_BOXED_SOLVED) {
			return ABUT_BOXED_SOLVED;
		}
		if (d->report->residual < best) {
			best = d->report->residual;
			nearest = i;
		}
	}
	if (!(best <= ABUT_BOXED_NEARLY * abut_boxed_lcp_scale(d->problem))) {
		return ABUT_BOXED_FAILED;
	}
	run_regular(d, bounds == FROM_X ? AS_THEY_ARE : bounds, epsilons[nearest]);
	return ABUT_BOXED_SOLVED;
}

/* Ends with the last pass. If its bounds are nearly those of its own impulses, it counts as a solution. */
static void end_passes(const AbutBoxedLcp *problem, int most_passes, const AbutBoxedRoom *room, AbutBoxedReport *report)
{
	const double own = abut_boxed_lcp_residual(problem, room, room->x, room->w, true);
	if (most_passes > 1 && own <= ABUT_BOXED_NEARLY * abut_boxed_lcp_scale(problem)) {
		report->residual = own;
	} else {
		report->status = ABUT_BOXED_FROZEN;
	}
}

/* Runs a pass and solves the coupled equations. They are tried first with a result near a solution. Only if this fails
 * is the pass completed, which may take several runs. */
static bool run_coupled(Dantzig *d, Bounds bounds)
{
	const double scale = abut_boxed_lcp_scale(d->problem);
	d->enough = ABUT_BOXED_NEARLY;
	d->report->status = run_pass(d, bounds);
	d->enough = ABUT_BOXED_TOLERANCE;
	if (d->report->status == ABUT_BOXED_SOLVED && abut_boxed_lcp_couple(d->problem, d->room)) {
		return true;
	}
	if (d->report->status == ABUT_BOXED_SOLVED && d->report->residual <= ABUT_BOXED_TOLERANCE * scale) {
		return false;
	}
	d->report->status = run_pass(d, AS_THEY_ARE);
	return d->report->status == ABUT_BOXED_SOLVED && abut_boxed_lcp_couple(d->problem, d->room);
}

void abut_boxed_lcp_dantzig(const AbutBoxedLcp *problem, int most_passes, AbutBoxedRoom *room, AbutBoxedReport *report)
{
	Dantzig d = {problem, room, report, abut_boxed_lcp_idle_below(problem), ABUT_BOXED_TOLERANCE};
	*report = (AbutBoxedReport){.status = ABUT_BOXED_SOLVED, .method = ABUT_BOXED_DANTZIG};
	if (most_passes > 1 && abut_boxed_lcp_stick(problem, room)) {
		report->residual = abut_boxed_lcp_residual(problem, room, room->x, room->w, true);
		return;
	}
	do {
		const Bounds bounds = report->passes++ == 0 ? FROM_FRICTIONLESS : FROM_X;
		if (most_passes > 1 && run_coupled(&d, bounds)) {
			report->residual = abut_boxed_lcp_residual(problem, room, room->x, room->w, true);
			return;
		}
		if (most_passes == 1) {
			report->status = run_pass(&d, bounds);
		}
	} while (report->status == ABUT_BOXED_SOLVED && report->passes < most_passes);
	if (report->status != ABUT_BOXED_SOLVED && report->passes > 1) {
		report->status = run_pass(&d, FROM_FRICTIONLESS);
	}
	if (report->status == ABUT_BOXED_SOLVED) {
		end_passes(problem, most_passes, room, report);
	}
}
