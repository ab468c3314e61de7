/* The warm start of contacts in a step that turns far. Place and normal of a round body, or of one between two bodies
 * that move, do not go on with its material: a body that rolls keeps them under its centre, one on its rim takes them
 * along it. The normal is that of the collision problem alone where the start has the bodies. The place is that
 * problem's too, or else it goes with the centre of side 0 without turning,
 *
 *     p = p_last - x0 + dt v,
 *
 * whichever leaves the smaller residual. A thin cone that spins as it lies on its side is held all along a line: what
 * its start tilts too far by 1e-4 puts the collision problem's place at one end of it, and Newton loses the way back.
 * Tested by tests/dynamics/test_start_turning.c. */
#include <string.h>

#include "base/vec3.h"
#include "dynamics/step_parts.h"

/* Half turn in a step, 6 degrees, from which on it is far. */
static const double far_turn = 0.05;

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
	const bool stays = b->body->moving < 0 && a->rows->n_soc == 0 && b->rows->n_soc == 0;
	return contact->memory->solved && !stays && largest_turn(contact) > far_turn;
}

static void go_with_centre(AbutIsland *island, const AbutContactWork *contact)
{
	const AbutBodyWork *body = contact->side[0].body;
	const double *last = contact->memory_y; /* p is an offset from where the last step began */
	double *y = &island->iterate.y[contact->y];
	for (int i = 0; i < 3; i++) {
		y[i] = last[i] - body->last_timestep * body->v0[i] + island->problem.timestep * body->v[i];
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
			abut_step_solve_collision(island, &problem->contacts[i], ABUT_COLLISION_KAPPA);
			any = true;
		}
	}
	if (!any) {
		return;
	}
	const double residual = abut_step_residual(island);
	memcpy(it->y_base, it->y, size);
	for (int i = 0; i < problem->n_contacts; i++) {
		if (turns_from_under(&problem->contacts[i])) {
			go_with_centre(island, &problem->contacts[i]);
		}
	}
	if (!(abut_step_residual(island) < residual)) {
		memcpy(it->y, it->y_base, size);
	}
}
