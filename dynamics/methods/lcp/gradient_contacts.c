/* Adds the derivatives of contact points by the poses (dynamics/methods/lcp/gradient_point.c) to the equations of an
 * island of bodies without joints (dynamics/methods/lcp/gradient_step.c). */
#include "dynamics/methods/lcp/gradient_contacts.h"

#include "dynamics/methods/lcp/gradient_point.h"

/* Adds the derivative of the term e J v of a bouncing point (e: restitution, `bounce`) with respect to the velocities v
 * before the step, and to the turns that rotate its spin. */
static void derive_approach(const AbutLcpDerivative *g, const AbutLcpPointWork *work, int row, double bounce)
{
	double *turned = &g->turned[(size_t)row * (size_t)g->n_columns];
	for (int s = 0; s < 2; s++) {
		const int moving = g->w->bodies[work->pair->body[s]].moving;
		double by_linear[3], by_spin[3], by_turn[3];
		if (moving < 0) {
			continue;
		}
		double *own = turned + ABUT_LCP_COLUMNS * moving;
		abut_lcp_point_approach(work, s, by_linear, by_spin, by_turn);
		for (int i = 0; i < 3; i++) {
			own[ABUT_LCP_LINEAR + i] += bounce * by_linear[i];
			own[ABUT_LCP_ANGULAR + i] += bounce * by_spin[i];
			own[ABUT_LCP_ROTATION + i] += bounce * by_turn[i];
		}
	}
}

/* Adds M^-1 dJ' x on side s. */
static void add_wrench(const AbutLcpDerivative *g, const AbutLcpPointWork *work, int s, const double wrench[6],
                       int target)
{
	const AbutBodyWork *body = &g->w->bodies[work->pair->body[s]];
	const AbutLcpBody *own = &abut_lcp_work(g->w)->bodies[body->body];
	double linear[3], angular[3];
	for (int i = 0; body->moving >= 0 && i < 3; i++) {
		linear[i] = own->inverse_mass[i] * wrench[i];
	}
	if (body->moving >= 0) {
		abut_mat3_vec(own->inverse_inertia, &wrench[3], angular);
		abut_derivative_add_shared(g, body->moving, target, linear, angular, 1.0,
		                           work->contact->late[work->point]);
	}
}

/* Adds dJ' x and dJ v+ + dc for one of the twelve motions of both bodies, `column`; `target` is its column in the
 * island, and `first` the point's first row. */
static void add_turn(const AbutLcpDerivative *g, const AbutLcpPointWork *work, int first, int column, int target)
{
	AbutLcpPointTurn turn;
	abut_lcp_point_turn(work, column, &turn);
	for (int s = 0; s < 2; s++) {
		add_wrench(g, work, s, turn.wrench[s], target);
	}
	for (int k = 0; k < work->contact->rows_per_point; k++) {
		g->turned[(size_t)(first + k) * (size_t)g->n_columns + (size_t)target] += turn.rows[k];
	}
	g->when[(size_t)first * (size_t)g->n_columns + (size_t)target] += turn.when;
}

/* Adds the terms of a point for all motions of both bodies. Returns false if the point has no derivative although it is
 * clamped. The impulse of any other point is zero and stays zero, so its geometry does not matter. */
static bool derive_point(const AbutLcpDerivative *g, const AbutPair *pair, const AbutLcpContact *contact, int point)
{
	const int first = contact->first_row + point * contact->rows_per_point;
	AbutLcpPointWork work;
	if (!abut_lcp_point_begin(g->model, g->w, pair, contact, point, &work)) {
		return g->room.boxed.set[first] != ABUT_BOXED_CLAMPED;
	}
	if (contact->bounce[point] > 0.0) {
		derive_approach(g, &work, first, contact->bounce[point]);
	}
	for (int column = 0; column < ABUT_MANIFOLD_COLUMNS; column++) {
		const int moving = g->w->bodies[pair->body[column / 6]].moving;
		if (moving >= 0) {
			add_turn(g, &work, first, column, ABUT_LCP_COLUMNS * moving + column % 6);
		}
	}
	return true;
}

const AbutPair *abut_lcp_derive_contacts(const AbutLcpDerivative *g)
{
	for (int i = 0; i < g->members->size.n_contacts; i++) {
		const int index = abut_island_candidate(g->w, g->members, i);
		const AbutPair *pair = &g->w->pairs.candidates[index].pair;
		const AbutLcpContact *contact = &abut_lcp_work(g->w)->contacts[index];
		for (int point = 0; point < contact->manifold.n; point++) {
			if (!derive_point(g, pair, contact, point)) {
				return pair;
			}
		}
	}
	return NULL;
}
