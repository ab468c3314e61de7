/* Chooses the sets of points that a loss asks for, aware of complementarity (Nimble, section IV-D). A small force does
 * not change the velocity of a clamped point, so the usual gradient cannot show that a force would lift a body. A
 * separated point has no impulse. Let h be the gradient of the loss with respect to the velocities v+ after the step.
 * An impulse at point i changes the loss by J_i M^-1 h. If this is negative, the point is separated; if it is positive,
 * the point is clamped. Tested in tests/dynamics/methods/lcp/test_lcp_loss.c. */
#include "dynamics/methods/lcp/gradient_sets.h"

#include <math.h>

#include "dynamics/body/body.h"

/* Computes h of a body, in model units. The loss depends on v+ directly, and through the positions and rotations after
 * the step. */
static void loss_by_velocity(const AbutLcpDerivative *g, int index, double h[6])
{
	const AbutBodyWork *body = abut_derivative_body_of(g, index);
	const double *given = &g->loss[ABUT_LCP_ROWS * g->model->bodies[body->body].moving];
	double loss[ABUT_LCP_ROWS], turned[3], by_turn[3], by_spin[3];
	for (int r = 0; r < ABUT_LCP_ROWS; r++) {
		loss[r] = given[r] * abut_tangent_unit(&g->model->units, r);
	}
	abut_mat3_vec(body->R, &loss[ABUT_LCP_ROTATION], turned);
	abut_mat3_tvec(body->G, turned, by_turn);
	abut_mat3_vec(body->R0, &loss[ABUT_LCP_ANGULAR], by_spin);
	abut_add_scaled3(&loss[ABUT_LCP_LINEAR], g->model->timestep, &loss[ABUT_LCP_POSITION], h);
	abut_add3(by_turn, by_spin, &h[3]);
}

/* Returns J_row M^-1 h, or 0 if the value is only rounding error. */
static double loss_by_impulse(const AbutLcpDerivative *g, int row)
{
	static const double rounding = 0x1p-40;
	double sum = 0.0, size = 0.0;
	for (int s = 0; s < 2; s++) {
		const int body = g->room.rows[row].body[s];
		double h[6];
		if (body < 0) {
			continue;
		}
		loss_by_velocity(g, body, h);
		for (int k = 0; k < 6; k++) {
			const double term = g->room.rows[row].W[6 * s + k] * h[k];
			sum += term;
			size += fabs(term);
		}
	}
	return fabs(sum) > rounding * size ? sum : 0.0;
}

/* Changes the sets. If the set of a normal row changes, its friction rows become idle; otherwise they keep their sets.
 */
void abut_lcp_change_sets(const AbutLcpDerivative *g)
{
	AbutBoxedSet *set = g->room.boxed.set;
	for (int row = 0; row < g->n_rows; row++) {
		const int normal = g->room.friction[row];
		if (normal >= 0) {
			continue;
		}
		const double change = loss_by_impulse(g, row);
		const AbutBoxedSet before = set[row];
		if (before != ABUT_BOXED_IDLE && change != 0.0) {
			set[row] = change < 0.0 ? ABUT_BOXED_LOWER : ABUT_BOXED_CLAMPED;
		}
		for (int i = row + 1; set[row] != before && i < g->n_rows && g->room.friction[i] == row; i++) {
			set[i] = ABUT_BOXED_IDLE;
		}
	}
}
