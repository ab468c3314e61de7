/* Computes the start from free flight, for a step in which no contact presses. The equations may have another root, in
 * which a contact does press. For example, the normal between two edges that meet at the end of a step may be any
 * between those of their faces; and a peg that falls into a hole may be stopped at the rim instead of passing it. Free
 * flight is the motion if, with all bodies flying, a plane separates the two parts of each pair at both ends of the
 * step (passage.c). Tested by tests/dynamics/solve/test_passage.c. */
#include "dynamics/solve/start_free.h"

#include "base/vec3.h"
#include "dynamics/body/body.h"
#include "dynamics/body/flight.h"
#include "dynamics/contact/plane_depth.h"
#include "dynamics/island/problem.h"
#include "dynamics/solve/passage.h"
#include "dynamics/solve/start_cold.h"

/* Moves all bodies in free flight. Returns false if a body turns too far. */
static bool fly(AbutIsland *island)
{
	AbutContactProblem *problem = &island->problem;
	for (int i = 0; i < problem->n_moving; i++) {
		AbutBodyWork *body = problem->moving[i];
		AbutSolveReport report = {.solved = false};
		double *y = &island->iterate.y[6 * i];
		abut_copy3(body->w0, &y[3]);
		if (!abut_body_fly(body, problem->timestep, y, &report)) {
			return false;
		}
	}
	return true;
}

/* Returns whether a contact pressed in the last solution. Free flight is then too unlikely to be worth the search. */
static bool presses(const AbutIsland *island)
{
	const AbutContactProblem *problem = &island->problem;
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		if (contact->last.entry->solved &&
		    contact->last.z[0] > contact->scale.weight_contact * (contact->last.y[3] - 1.0)) {
			return true;
		}
	}
	return false;
}

/* Returns whether no pair recovers from overlap, and no part is in a halfspace at the end of the step. */
static bool is_clear_of_planes(const AbutModel *model, const AbutIsland *island)
{
	const AbutContactProblem *problem = &island->problem;
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		if (contact->side[1].rows->bounded ? contact->overlap.kept > 0.0 || contact->overlap.start_alpha >= 0.0
		                                   : abut_plane_depth(model, contact, problem->timestep) > 0.0) {
			return false;
		}
	}
	return true;
}

bool abut_step_start_free(const AbutModel *model, AbutIsland *island)
{
	AbutContactProblem *problem = &island->problem;
	AbutIterate *it = &island->iterate;
	if (model->formulation.published || problem->n_joints > 0 || presses(island) || !fly(island) ||
	    !is_clear_of_planes(model, island)) {
		return false;
	}
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		abut_step_start_contact(island, contact, ABUT_FLIGHT_KAPPA);
		if (contact->side[1].rows->bounded && it->y[contact->at.y + 3] < 1.0) {
			return false;
		}
	}
	island->ncp.ops->evaluate(island->ncp.problem, it->y, it->z, it->r, it->H);
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		if (contact->side[1].rows->bounded && !abut_step_kept_apart(model, contact, 0.0)) {
			return false;
		}
	}
	return true;
}
