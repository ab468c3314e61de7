/* Computes the start from the last solution. */
#include "dynamics/solve/start.h"

#include <string.h>

#include "base/vec3.h"
#include "collision/rows/conic_rows.h"
#include "dynamics/body/balance.h"
#include "dynamics/body/body.h"
#include "dynamics/body/flight.h"
#include "dynamics/contact/setup.h"
#include "dynamics/solve/collision_alone.h"
#include "dynamics/solve/smooth.h"
#include "dynamics/solve/start_cold.h"
#include "dynamics/solve/start_landing.h"
#include "dynamics/solve/start_slide.h"
#include "dynamics/solve/start_turning.h"
#include "dynamics/solve/tuning.h"
#include "solver/ncp/newton_parts.h"

/* Carries place and normal in a contact's y and z along with the bodies, which the start has moved (docs/formulation.md
 * 8):
 *
 *     p = dt v + R R0' (p_last - x0),    the same material point of side 0
 *     A' lambda = R' n,                  the same normal in space if side 1 is fixed
 *
 * Otherwise both would be wrong by the motion of one step. The first iteration would remove these errors, except for
 * their products, which cost another iteration. Tested by tests/dynamics/solve/test_start_landing.c. */
static void carry(const AbutContactWork *contact, double timestep, double *y, double *z)
{
	const AbutContactSide *a = &contact->side[0];
	const AbutBodyWork *body = a->body;
	double own[3], g[3];
	for (int i = 0; i < 3; i++) { /* p_last is relative to the body's position at the start of the last step */
		own[i] = y[i] - body->last_timestep * body->v0[i];
	}
	abut_mat3_tvec(body->R0, own, own);
	abut_mat3_vec(body->R, own, own);
	abut_add_scaled3(own, timestep, body->v, y);
	static const double still = 1e-12; /* half turn; a smaller one does not change the residual noticeably */
	if (contact->side[1].body->moving < 0 && abut_dot3(body->psi, body->psi) > still * still) {
		abut_mat3_tvec(body->R, contact->last.entry->normal, g);
		abut_conic_rows_turn(a->rows, g, &z[a->z]);
	}
}

/* Moves the bodies by the velocities in the iterate. */
static void move_bodies(AbutIsland *island)
{
	AbutIterate *it = &island->iterate;
	/* limits the spin to what the integrator allows */
	memset(it->dy, 0, 6 * (size_t)island->problem.n_moving * sizeof(double));
	const double within = island->ncp.ops->step_limit(island->ncp.problem, it->dy, it->y, 1.0);
	for (int i = 0; within < 1.0 && i < 6 * island->problem.n_moving; i++) {
		it->y[i] *= within;
	}
	for (int i = 0; i < island->problem.n_moving; i++) {
		abut_body_move(island->problem.moving[i], island->problem.timestep, &it->y[6 * i]);
	}
}

/* Sets the contacts' and joints' unknowns from the last solution. Call after the bodies have moved. */
static void last_solution(AbutIsland *island)
{
	AbutIterate *it = &island->iterate;
	abut_step_start_joints(island);
	for (int i = 0; i < island->problem.n_contacts; i++) {
		const AbutContactWork *contact = &island->problem.contacts[i];
		const AbutPair *pair = contact->pair;
		if (contact->last.entry->solved) {
			memcpy(&it->y[contact->at.y], contact->last.y, (size_t)pair->n_y * sizeof(double));
			memcpy(&it->z[contact->at.z], contact->last.z, (size_t)pair->n_z * sizeof(double));
			/* the force, not the impulse, is taken from the last step */
			const double last =
			    island->resume ? island->problem.timestep : contact->side[0].body->last_timestep;
			abut_scale_forces(contact, island->problem.friction_cone,
			                  island->problem.timestep / (last * contact->scale.impulse),
			                  &it->z[contact->at.z]);
			if (!island->resume) {
				carry(contact, island->problem.timestep, &it->y[contact->at.y], &it->z[contact->at.z]);
			}
		} else { /* a new pair */
			abut_step_start_contact(island, contact, ABUT_COLLISION_KAPPA);
		}
	}
}

void abut_step_start_warm(const AbutModel *model, AbutIsland *island)
{
	for (int i = 0; i < island->problem.n_moving; i++) {
		const AbutBodyWork *body = island->problem.moving[i];
		double *y = &island->iterate.y[6 * i];
		if (island->resume) {
			abut_copy3(body->v, y);
			abut_copy3(body->w, &y[3]);
		} else {
			abut_step_extrapolate(body, island->problem.n_joints > 0, y);
		}
	}
	move_bodies(island);
	if (abut_has("landing") && abut_step_start_landing(model, island)) {
		return;
	}
	last_solution(island);
	if (abut_has("turning") && !island->resume) {
		abut_step_turn(island);
	}
	if (abut_has("slide")) {
		abut_step_slide(island);
	}
}

/* Uses the slacks of the present pose, as far as they are complementary to the duals, instead of the last slacks. */
void abut_step_start_shifted(AbutIsland *island)
{
	static const double shift = 1e-2, complementary = 1e-20;
	AbutIterate *it = &island->iterate;
	for (int i = 0; i < island->problem.n_moving; i++) {
		abut_copy3(island->problem.moving[i]->v0, &it->y[6 * i]);
		abut_copy3(island->problem.moving[i]->w0, &it->y[6 * i + 3]);
	}
	move_bodies(island);
	last_solution(island);
	island->ncp.ops->evaluate(island->ncp.problem, it->y, it->z, it->r, it->H);
	abut_step_smooth_at(island, complementary);
	abut_cones_identity(island->ncp.cones, island->ncp.n_cones, it->dz);
	for (int i = 0; i < island->ncp.n_z; i++) {
		it->z[i] += shift * it->dz[i];
		it->s[i] += shift * it->dz[i];
	}
	abut_step_keep_heads(island);
}
