/* Computes the start from the last solution. */
#include "dynamics/solve/start.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/balance.h"
#include "dynamics/body/body.h"
#include "dynamics/body/extrapolate.h"
#include "dynamics/contact/forces.h"
#include "dynamics/island/island.h"
#include "dynamics/solve/collision_alone.h"
#include "dynamics/solve/smooth.h"
#include "dynamics/solve/start_carry.h"
#include "dynamics/solve/start_cold.h"
#include "dynamics/solve/start_landing.h"
#include "dynamics/solve/start_slide.h"
#include "dynamics/solve/start_turning.h"
#include "dynamics/solve/tuning.h"
#include "solver/ncp/newton_parts.h"

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

/* Sets the contacts' unknowns from the last solution. Call after the bodies have moved. */
static void last_solution(AbutIsland *island)
{
	AbutIterate *it = &island->iterate;
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
				abut_step_carry(contact, island->problem.timestep, &it->y[contact->at.y],
				                &it->z[contact->at.z]);
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
			abut_step_extrapolate(body, y);
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
