/* Differentiates delayed impulses. A bouncing point i meets the other side after a share tau_i of the step. Until then
 * its impulses x_i do not contribute to the displacement (Nimble, section VI, here for any number of points). The
 * displacement is dt u, with v* the velocities of free flight and
 *
 *     u = v+ - sum tau_i M^-1 J_i' x_i,    tau = gap / (-dt J v*),    dtau = (dgap / dt + tau d(J v*)) / (-J v*).
 *
 * Tested by the bouncing scenes of lcp_gradient/is_that_of_differences in
 * tests/dynamics/methods/lcp/test_lcp_gradient.c. */
#include "dynamics/methods/lcp/gradient_impacts.h"

/* Adds tau J dv* / (-J v*) of a normal row to `when`. */
static void derive_share(const AbutLcpDerivative *g, int row)
{
	const AbutLcpRow *own = &g->room.rows[row];
	double *when = &g->when[(size_t)row * (size_t)g->n_columns], speed = 0.0;
	for (int s = 0; s < 2; s++) {
		for (int k = 0; own->body[s] >= 0 && k < 6; k++) {
			speed -= own->J[6 * s + k] * abut_derivative_lcp_body_of(g, own->body[s])->free[k];
		}
	}
	for (int s = 0; s < 2; s++) {
		for (int k = 0; own->body[s] >= 0 && k < 6; k++) {
			const double *dv = abut_derivative_velocity_row(g, own->body[s], k);
			const double factor = g->share[row] * own->J[6 * s + k] / speed;
			for (int column = 0; column < g->n_columns; column++) {
				when[column] += factor * dv[column];
			}
		}
	}
}

void abut_lcp_derive_shares(const AbutLcpDerivative *g)
{
	for (int row = 0; row < g->n_rows; row++) {
		if (g->share[row] > 0.0 && g->room.friction[row] < 0) {
			derive_share(g, row);
		}
	}
}

/* Adds M^-1 J' x dtau of one row to `late`. A friction row has the share of its normal row. */
static void add_late(const AbutLcpDerivative *g, int row, double x)
{
	const AbutLcpRow *own = &g->room.rows[row];
	const int normal = g->room.friction[row] >= 0 ? g->room.friction[row] : row;
	const double *when = &g->when[(size_t)normal * (size_t)g->n_columns];
	for (int s = 0; s < 2; s++) {
		for (int k = 0; own->body[s] >= 0 && k < 6; k++) {
			double *late = abut_derivative_late_row(g, own->body[s], k);
			for (int column = 0; column < g->n_columns; column++) {
				late[column] += x * own->W[6 * s + k] * when[column];
			}
		}
	}
}

void abut_lcp_derive_late(const AbutLcpDerivative *g)
{
	for (int i = 0; i < g->members->size.n_contacts; i++) {
		const AbutLcpContact *contact =
		    &abut_lcp_work(g->w)->contacts[abut_island_candidate(g->w, g->members, i)];
		for (int k = 0; k < abut_lcp_contact_rows(contact); k++) {
			if (contact->late[k / contact->rows_per_point] > 0.0) {
				add_late(g, contact->first_row + k, contact->x[k]);
			}
		}
	}
}
