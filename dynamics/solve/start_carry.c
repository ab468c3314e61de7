/* Moves a contact's last place and normal along with the bodies, for a warm start (docs/formulation.md 8):
 *
 *     p = dt v + R R0' (p_last - x0),    the same material point of side 0
 *     A' lambda = R' n,                  the same normal in space if side 1 is fixed
 *
 * Otherwise both would be wrong by the motion of one step. The first iteration would remove these errors, except for
 * their products, which cost another iteration. Tested by tests/dynamics/solve/test_start_landing.c. */
#include "dynamics/solve/start_carry.h"

#include "base/vec3.h"
#include "collision/rows/conic_rows.h"
#include "dynamics/body/body.h"

void abut_step_carry(const AbutContactWork *contact, double timestep, double *y, double *z)
{
	const AbutContactSide *a = &contact->side[0];
	const AbutBodyWork *body = a->body;
	double own[3], g[3];
	for (int i = 0; i < 3; i++) { /* p_last is relative to the body's position at the start of the last step */
		own[i] = y[i] - body->last_timestep * body->v0[i];
	}
	abut_mat3_tvec(body->R0, own, own);
	abut_mat3_vec(body->R, own, own);
	for (int i = 0; i < 3; i++) {
		y[i] = own[i] + timestep * body->v[i];
	}
	static const double still = 1e-12; /* half turn; a smaller one does not change the residual noticeably */
	if (contact->side[1].body->moving < 0 && abut_dot3(body->psi, body->psi) > still * still) {
		abut_mat3_tvec(body->R, contact->last.entry->normal, g);
		abut_conic_rows_turn(a->rows, g, &z[a->z]);
	}
}
