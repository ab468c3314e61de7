/* Solves the contact problem of an island for method convex with convex_model "barrier", forward and inverse. The
 * island's points become a problem of solver/soft/barrier_contact.h in impulses and velocities. With w the gap, w_max
 * the reach of the pair (abut_barrier_reach), dt the timestep and d an impedance of solimp, a point has the compliance
 * R and the least normal velocity v_least:
 *
 *     R = A (r1 + (r0 - r1) w / w_max), limited to both ends,    r = (1 - d) / d of both impedances of solimp,
 *     v_least = -w / dt, in overlap at most the speed of recovery,
 *
 * Here A is the sum of both inverse masses, and r0 and r1 are r of the first and the second impedance. A contact is
 * soft where it begins to act and hardens as it closes (Todorov, ICRA 2011, eq. 24). kappa is the solver option, in
 * model units of energy.
 *
 * Tested in tests/dynamics/methods/convex/test_convex_barrier.c. */
#include "dynamics/methods/convex/barrier.h"

#include "base/vec3.h"
#include "dynamics/body/body.h"
#include "dynamics/methods/manifold/columns.h"
#include "dynamics/methods/manifold/jointed.h"
#include "dynamics/methods/manifold/rows.h"
#include "dynamics/solve/recovery.h"
#include "dynamics/step/workspace.h"

/* slope: slope of the barrier V where a velocity is not allowed (value of the paper, model units of impulse).
 * least_friction: smallest coefficient whose friction cone has a usable interior. */
static const double slope = 10.0, least_friction = 1e-3;

/* Largest residual of a solved step. With the smallest barriers, points are so close to the boundary that rounding
 * alone leaves this residual. */
static const double nearly = 1e-6;

double abut_barrier_reach(const AbutModel *model, const AbutPair *pair)
{
	static const double usual = 0.02;
	const AbutPart *a = &model->parts[pair->part[0]], *b = &model->parts[pair->part[1]];
	const double size =
	    b->rows.bounded ? abut_min(a->rows.outer_radius, b->rows.outer_radius) : a->rows.outer_radius;
	return pair->soft->margin > 0.0 ? pair->soft->margin / model->units.length : usual * size;
}

static double compliance(double impedance)
{
	return (1.0 - impedance) / impedance;
}

static double inverse_mass(const AbutLcpIsland *island, const AbutPair *pair)
{
	double sum = 0.0;
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = &island->w->bodies[pair->body[s]];
		sum += body->moving >= 0 ? 1.0 / body->mass : 0.0;
	}
	return sum;
}

static void fill_point(const AbutLcpIsland *island, const AbutPair *pair, double gap, int point)
{
	const AbutModel *model = island->model;
	AbutConvexBarrier *barrier = &abut_convex_room(island->room)->barrier;
	const double share = abut_min(abut_max(gap / abut_barrier_reach(model, pair), 0.0), 1.0);
	const double r0 = compliance(pair->soft->solimp[0]), r1 = compliance(pair->soft->solimp[1]);
	for (int i = 0; i < ABUT_LCP_POINT_ROWS; i++) {
		barrier->R[ABUT_LCP_POINT_ROWS * point + i] = inverse_mass(island, pair) * (r1 + (r0 - r1) * share);
	}
	barrier->mu[point] = abut_max(pair->mu, least_friction);
	barrier->least[point] = abut_min(-gap / model->timestep, ABUT_RECOVERY_SPEED);
}

static AbutBarrierProblem make_problem(AbutLcpIsland *island)
{
	AbutWorkspace *w = island->w;
	AbutConvexBarrier *barrier = &abut_convex_room(island->room)->barrier;
	int n = 0;
	for (int i = 0; i < island->n_moving; i++) {
		abut_lcp_invert_mass(island->moving[i], &abut_lcp_work(w)->bodies[island->moving[i]->body]);
	}
	for (int i = 0; i < island->members->size.n_contacts; i++) {
		const int candidate = abut_island_candidate(w, island->members, i);
		const AbutPair *pair = &w->pairs.candidates[candidate].pair;
		AbutLcpContact *contact = &abut_lcp_work(w)->contacts[candidate];
		contact->first_row = ABUT_LCP_POINT_ROWS * n;
		abut_lcp_rows(pair, w->bodies, abut_lcp_work(w)->bodies, contact,
		              &island->room->rows[contact->first_row]);
		for (int k = 0; k < contact->manifold.n; k++) {
			fill_point(island, pair, contact->manifold.points[k].gap, n++);
		}
	}
	island->n_rows = ABUT_LCP_POINT_ROWS * n;
	abut_lcp_island_matrix(island, barrier->A);
	return (AbutBarrierProblem){
	    n, barrier->A, barrier->R, barrier->mu, barrier->least, island->model->options.kappa, slope, w->stop};
}

/* Computes J times the bodies' velocities for all rows. The velocities are those after the step (`after`), or those
 * without contact. */
static void see(const AbutLcpIsland *island, bool after, double *out)
{
	for (int row = 0; row < island->n_rows; row++) {
		out[row] = abut_lcp_velocity_along(island, &island->room->rows[row], after);
	}
}

/* Marks all rows as idle, since no row is ever at a bound. */
static void take_sets(AbutLcpIsland *island)
{
	for (int row = 0; row < island->n_rows; row++) {
		island->room->boxed.set[row] = ABUT_BOXED_IDLE;
	}
}

bool abut_barrier_solve(AbutLcpIsland *island, AbutStepInfo *info)
{
	AbutConvexBarrier *barrier = &abut_convex_room(island->room)->barrier;
	AbutBarrierReport report = {.solved = true};
	const AbutBarrierProblem problem = make_problem(island);
	take_sets(island);
	if (problem.n > 0) {
		see(island, false, barrier->c);
		abut_barrier_forward(&problem, barrier->c, &barrier->scratch, island->room->boxed.x, barrier->v,
		                     &report);
	}
	info->iterations = report.iterations;
	info->tries = 1;
	info->residual = report.residual;
	return report.residual <= nearly;
}

bool abut_barrier_impulses(AbutLcpIsland *island)
{
	AbutConvexBarrier *barrier = &abut_convex_room(island->room)->barrier;
	AbutBarrierReport report = {.solved = true};
	const AbutBarrierProblem problem = make_problem(island);
	if (problem.n > 0) {
		see(island, true, barrier->v);
		abut_barrier_inverse(&problem, barrier->v, island->room->boxed.x, barrier->c, &report);
	}
	return report.solved;
}
