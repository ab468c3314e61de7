/* Solves the forward problem of the barrier contact by Newton's method, for all contacts at once. */
#include "solver/soft/barrier_forward.h"

#include <math.h>
#include <string.h>

#include "base/lapack.h"

void abut_barrier_room_carve(AbutBarrierRoom *room, int n, AbutArena *arena)
{
	const size_t rows = 3 * (size_t)n;
	room->gradient = abut_arena_take(arena, rows, sizeof(double));
	room->step = abut_arena_take(arena, rows, sizeof(double));
	room->change = abut_arena_take(arena, rows, sizeof(double));
	room->bend = abut_arena_take(arena, (size_t)n, sizeof(double));
	room->H = abut_arena_take(arena, rows * rows, sizeof(double));
	room->pivots = abut_arena_take(arena, rows, sizeof(int));
}

static void multiply(const AbutBarrierProblem *problem, const double *x, double *out)
{
	const int n = 3 * problem->n;
	for (int i = 0; i < n; i++) {
		out[i] = 0.0;
		for (int k = 0; k < n; k++) {
			out[i] += problem->A[i * n + k] * x[k];
		}
	}
}

/* Computes the gradient R f + v + grad F + A grad V, and the second derivatives of V (`bend`). Returns the gradient's
 * relative size. */
static double evaluate(const AbutBarrierProblem *problem, const double *f, const double *v, bool modified,
                       AbutBarrierRoom *room)
{
	const int n = 3 * problem->n;
	double size = 0.0, scale = 1e-300;
	for (int k = 0; k < problem->n; k++) {
		double H[6];
		abut_barrier_cone(problem->kappa, problem->mu[k], &f[3 * k], &room->gradient[3 * k], H);
	}
	for (int i = 0; i < n; i++) {
		room->gradient[i] += problem->R[i] * f[i] + v[i];
		scale = fmax(scale, fmax(fabs(v[i]), problem->R[i] * fabs(f[i])));
	}
	for (int k = 0; k < problem->n; k++) {
		double speed[2];
		abut_barrier_speed(problem, v[3 * k] - problem->least[k], modified, speed);
		room->bend[k] = speed[1];
		for (int i = 0; i < n; i++) {
			room->gradient[i] += problem->A[3 * k * n + i] * speed[0];
		}
	}
	for (int i = 0; i < n; i++) {
		size = fmax(size, fabs(room->gradient[i]));
	}
	return size / scale;
}

/* Fills the second derivative A + R + F'' + A N' V'' N A, where N selects the normal rows. */
static void fill_hessian(const AbutBarrierProblem *problem, const double *f, AbutBarrierRoom *room)
{
	const int n = 3 * problem->n;
	memcpy(room->H, problem->A, (size_t)n * (size_t)n * sizeof(double));
	for (int k = 0; k < problem->n; k++) {
		double gradient[3], H[6];
		const double *row = &problem->A[3 * k * n];
		abut_barrier_cone(problem->kappa, problem->mu[k], &f[3 * k], gradient, H);
		for (int i = 0; i < 3; i++) {
			for (int j = 0; j < 3; j++) {
				const int high = i > j ? i : j, low = i > j ? j : i;
				room->H[(3 * k + i) * n + 3 * k + j] += H[high * (high + 1) / 2 + low];
			}
			room->H[(3 * k + i) * (n + 1)] += problem->R[3 * k + i];
		}
		for (int i = 0; i < n; i++) {
			for (int j = 0; j < n; j++) {
				room->H[i * n + j] += room->bend[k] * row[i] * row[j];
			}
		}
	}
}

/* Returns the largest step, up to `limit`, that stays within the cones and, unless V is `modified`, the bounds of the
 * velocities. */
static double way_inside(const AbutBarrierProblem *problem, const double *f, const double *v, bool modified,
                         const AbutBarrierRoom *room, double limit)
{
	double t = limit;
	for (int k = 0; k < problem->n; k++) {
		const double s = v[3 * k] - problem->least[k], ds = room->change[3 * k];
		t = abut_barrier_step(problem->mu[k], &f[3 * k], &room->step[3 * k], t);
		if (!modified && ds < 0.0 && -s / ds < t) {
			t = -s / ds;
		}
	}
	return t;
}

static double slope_along(const AbutBarrierProblem *problem, const AbutBarrierRoom *room)
{
	double sum = 0.0;
	for (int i = 0; i < 3 * problem->n; i++) {
		sum += room->gradient[i] * room->step[i];
	}
	return sum;
}

static void move(const AbutBarrierProblem *problem, const AbutBarrierRoom *room, double t, double *f, double *v)
{
	for (int i = 0; i < 3 * problem->n; i++) {
		f[i] += t * room->step[i];
		v[i] += t * room->change[i];
	}
}

/* Takes one Newton step, ending before the boundaries. If the slope is clearly positive there, goes back by secants to
 * near its zero. */
static bool advance(const AbutBarrierProblem *problem, bool modified, AbutBarrierRoom *room, double *f, double *v,
                    double *size)
{
	static const double short_of = 0.9, enough = 0.1;
	const int n = 3 * problem->n;
	fill_hessian(problem, f, room);
	for (int i = 0; i < n; i++) {
		room->step[i] = -room->gradient[i];
	}
	if (!abut_lapack_solve(n, room->H, room->pivots, 1, room->step)) {
		return false;
	}
	multiply(problem, room->step, room->change);
	const double start = -slope_along(problem, room);
	double t = short_of * way_inside(problem, f, v, modified, room, 1.0 / short_of);
	move(problem, room, t, f, v);
	*size = evaluate(problem, f, v, modified, room);
	for (int k = 0; k < ABUT_BARRIER_ITERATIONS; k++) {
		const double slope = slope_along(problem, room);
		if (slope <= enough * start) {
			break;
		}
		const double less = fmax(start / (start + slope), enough);
		move(problem, room, (less - 1.0) * t, f, v);
		t *= less;
		*size = evaluate(problem, f, v, modified, room);
	}
	return true;
}

/* Runs Newton's method at the problem's kappa from the present point. V is `modified` as long as v is not allowed. */
static void descend(const AbutBarrierProblem *problem, int most, AbutBarrierRoom *room, double *f, double *v,
                    bool *modified, AbutBarrierReport *report)
{
	static const double goal = 1e-13;
	double size = evaluate(problem, f, v, *modified, room);
	for (int i = 0; i < most && size > goal && !abut_stopped(problem->stop); i++) {
		const double before = size;
		if (!advance(problem, *modified, room, f, v, &size)) {
			break;
		}
		report->iterations++;
		if (*modified && abut_barrier_is_allowed(problem, v)) {
			*modified = false;
			size = evaluate(problem, f, v, false, room);
		} else if (size >= before && size <= ABUT_BARRIER_NEARLY) { /* only rounding errors are left */
			break;
		}
	}
	report->residual = size;
}

/* Starts as if each contact were alone and came to rest. Returns the largest energy of any row, either of its impulse
 * or of the motion along it: friction may do much work even at contacts that separate. */
static double start(const AbutBarrierProblem *problem, const double *c, double *f, double *v)
{
	const int n = 3 * problem->n;
	double work = 0.0;
	for (int i = 0; i < n; i++) {
		const double own = problem->A[i * (n + 1)] + problem->R[i],
		             least = 1e-3 * (fabs(c[i]) + problem->kappa);
		f[i] = i % 3 == 0 ? fmax(problem->least[i / 3] - c[i], least) / own : 0.0;
		work = fmax(work, fmax(f[i] * fabs(c[i]), c[i] * c[i] / own));
	}
	multiply(problem, f, v);
	for (int i = 0; i < n; i++) {
		v[i] += c[i];
	}
	return work;
}

/* Computes v = A f + c again, because rounding of many steps has accumulated in v. For small kappa the inverse problem
 * is sensitive to it. Keeps the old v if only one of the two is allowed. */
static void refresh(const AbutBarrierProblem *problem, const double *c, const double *f, double *v,
                    AbutBarrierRoom *room)
{
	multiply(problem, f, room->change);
	for (int i = 0; i < 3 * problem->n; i++) {
		room->change[i] += c[i];
	}
	if (abut_barrier_is_allowed(problem, v) == abut_barrier_is_allowed(problem, room->change)) {
		memcpy(v, room->change, 3 * (size_t)problem->n * sizeof *v);
	}
}

/* Starts with kappa as large as the work of the contacts, and halves it until it is the problem's. */
void abut_barrier_forward(const AbutBarrierProblem *problem, const double *c, AbutBarrierRoom *room, double *f,
                          double *v, AbutBarrierReport *report)
{
	static const double smaller = 0.5;
	enum { soon = 30, few = 3 };
	AbutBarrierProblem now = *problem;
	*report = (AbutBarrierReport){.iterations = 0};
	now.kappa = fmax(problem->kappa, start(problem, c, f, v));
	bool modified = !abut_barrier_is_allowed(problem, v);
	while (now.kappa > problem->kappa) {
		descend(&now, soon, room, f, v, &modified, report);
		now.kappa = fmax(smaller * now.kappa, problem->kappa);
	}
	refresh(problem, c, f, v, room);
	descend(&now, ABUT_BARRIER_ITERATIONS, room, f, v, &modified, report);
	refresh(problem, c, f, v, room);
	descend(&now, few, room, f, v, &modified, report);
	report->allowed = !modified;
	report->solved = report->residual <= ABUT_BARRIER_NEARLY;
}
