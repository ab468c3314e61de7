/* Computes the warm start of contacts of bodies that rotate by a large angle in one step. If a body is round, or if
 * both move, the contact point and the normal do not move with the material. Below a rolling ball, for example, the
 * contact point stays below the centre; on a disc that rolls on its rim it moves along the rim. The normal is taken
 * from the collision problem alone, solved at the poses of the start. There are two candidates for the contact point.
 * It is either that of the same problem, or it moves with the centre of side 0 and turns with this side about the
 * normal only:
 *
 *     p = dt v + R_n (p_last - x0),    R_n = turn about n by dt w.n,
 *
 * The candidate with the smaller residual is used, the same one for all such contacts. The second one is needed, for
 * example, for a thin cone that spins on its side and touches along a line: if its start is tilted by only 1e-4, the
 * collision problem places the contact point at one end of the line, and Newton's method does not recover. Tested in
 * tests/dynamics/solve/test_start_turning.c. */
#include "dynamics/solve/start_turning.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/body.h"
#include "dynamics/island/problem.h"
#include "dynamics/solve/collision_alone.h"
#include "dynamics/solve/smooth.h"
#include "dynamics/solve/tuning.h"

static double largest_turn(const AbutContactWork *contact)
{
	double turn = 0.0;
	for (int i = 0; i < 2; i++) {
		const AbutBodyWork *body = contact->side[i].body;
		if (body->moving >= 0) {
			turn = abut_max(turn, abut_norm3(body->psi));
		}
	}
	return turn;
}

static bool turns_from_under(const AbutContactWork *contact)
{
	const AbutContactSide *a = &contact->side[0], *b = &contact->side[1];
	const bool stays =
	    b->body->moving < 0 && a->rows->n_soc == 0 && b->rows->n_soc == 0 && !a->rows->smooth && !b->rows->smooth;
	return contact->last.entry->solved && !stays && largest_turn(contact) > ABUT_FAR_TURN;
}

/* Solves the collision problem from the last solution, which is usually close enough; otherwise from the beginning. */
static void solve_collision(AbutIsland *island, const AbutContactWork *contact)
{
	AbutIterate *it = &island->iterate, own = *it;
	double *y = &it->y[contact->at.y], *z = &it->z[contact->at.z + contact->at.alpha_z];
	const size_t n_y = (size_t)contact->at.psi_y * sizeof *y;
	const size_t n_z = (size_t)(contact->pair->n_z - contact->at.alpha_z) * sizeof *z;
	own.y = island->alone_y;
	own.z = island->alone_z;
	memcpy(own.y, y, n_y);
	memcpy(own.z, z, n_z);
	if (!abut_step_resume_collision(island, contact, ABUT_COLLISION_KAPPA, &own)) {
		abut_step_solve_collision(island, contact, ABUT_COLLISION_KAPPA);
		return;
	}
	memcpy(y, own.y, n_y);
	memcpy(z, own.z, n_z);
}

static void go_with_centre(AbutIsland *island, const AbutContactWork *contact)
{
	const AbutBodyWork *body = contact->side[0].body;
	const double dt = island->problem.timestep, *last = contact->last.y;
	double *y = &island->iterate.y[contact->at.y];
	double n[3], arm[3], across[3];
	const double per_length = 1.0 / abut_norm3(contact->last.entry->normal);
	for (int i = 0; i < 3; i++) {
		n[i] = per_length * contact->last.entry->normal[i];
		arm[i] = last[i] - body->last_timestep * body->v0[i]; /* p_last is relative to x0 of the last step */
	}
	const double yaw = dt * abut_dot3(body->w, n), along = abut_dot3(n, arm);
	abut_cross3(n, arm, across);
	for (int i = 0; i < 3; i++) {
		y[i] = dt * body->v[i] + along * n[i] + cos(yaw) * (arm[i] - along * n[i]) + sin(yaw) * across[i];
	}
	y[3] = last[3];
}

void abut_step_turn(AbutIsland *island)
{
	const AbutContactProblem *problem = &island->problem;
	AbutIterate *it = &island->iterate;
	const size_t size = (size_t)island->ncp.n_y * sizeof(double);
	bool any = false;
	for (int i = 0; i < problem->n_contacts; i++) {
		if (turns_from_under(&problem->contacts[i])) {
			solve_collision(island, &problem->contacts[i]);
			any = true;
		}
	}
	if (!any) {
		return;
	}
	const double residual = abut_step_residual(island);
	memcpy(island->start_y, it->y, size);
	for (int i = 0; i < problem->n_contacts; i++) {
		if (turns_from_under(&problem->contacts[i])) {
			go_with_centre(island, &problem->contacts[i]);
		}
	}
	if (!(abut_step_residual(island) < residual)) {
		memcpy(it->y, island->start_y, size);
	}
}
