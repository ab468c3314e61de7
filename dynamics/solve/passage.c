/* Decides whether two parts have passed through each other in a step (tunnelling). The equations contain only the start
 * and the end of the step: if a body is above a thin bar at the start and below it at the end, they show no contact. A
 * plane that separates the parts at both ends proves that they have not passed. For bodies that do not turn, the gap
 * along a fixed direction n,
 *
 *     n.(x_1 - x_0) - h_0(n) - h_1(-n),
 *
 * is linear in their displacements, so it is not negative in between either. If two bodies turn together, neither turns
 * in the frame of the other. The direction is then fixed in that frame: n at the end, R_start R_end' n at the start.
 * Tested by tests/dynamics/solve/test_passage.c. */
#include "dynamics/solve/passage.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/body.h"
#include "dynamics/island/problem.h"
#include "dynamics/pairs/separation.h"
#include "dynamics/solve/tuning.h"

/* The two bodies of a contact at both ends of the step; `pair` refers to them as bodies 0 and 1. */
typedef struct Ends {
	AbutPair pair;
	AbutBodyWork bodies[2][2]; /* [0]: at the start of the step; [1]: at the iterate */
} Ends;

static void both_ends(const AbutContactWork *contact, Ends *out)
{
	out->pair = *contact->pair;
	for (int i = 0; i < 2; i++) {
		AbutBodyWork *start = &out->bodies[0][i];
		out->pair.body[i] = i;
		*start = out->bodies[1][i] = *contact->side[i].body;
		abut_copy3(start->x0, start->x);
		memcpy(start->R, start->R0, sizeof start->R);
	}
}

/* Returns whether the parts are separated at the start by a direction that is fixed in a moving body and equals
 * `direction` at the end. */
static bool apart_in_a_body(const AbutModel *model, const Ends *ends, const double direction[3], double overlap)
{
	for (int i = 0; i < 2; i++) {
		double own[3], back[3];
		if (ends->bodies[1][i].moving < 0) {
			continue;
		}
		abut_mat3_tvec(ends->bodies[1][i].R, direction, own);
		abut_mat3_vec(ends->bodies[0][i].R, own, back);
		if (abut_separated(model, &ends->pair, ends->bodies[0], back, -overlap)) {
			return true;
		}
	}
	return false;
}

static bool keeps_apart(const AbutModel *model, const Ends *ends, const double direction[3], double overlap)
{
	return abut_separated(model, &ends->pair, ends->bodies[1], direction, -overlap) &&
	       (abut_separated(model, &ends->pair, ends->bodies[0], direction, -overlap) ||
	        apart_in_a_body(model, ends, direction, overlap));
}

bool abut_step_kept_apart(const AbutModel *model, const AbutContactWork *contact, double overlap)
{
	double line[3];
	Ends ends;
	both_ends(contact, &ends);
	if (keeps_apart(model, &ends, contact->side[0].n, overlap) ||
	    keeps_apart(model, &ends, contact->last.entry->normal, overlap)) {
		return true;
	}
	for (int end = 0; end < 2; end++) {
		abut_line_of_centres(model, &ends.pair, ends.bodies[end], line);
		if (keeps_apart(model, &ends, line, overlap)) {
			return true;
		}
	}
	return false;
}

/* Returns the distance by which the parts move past each other: the relative displacement of their centres, plus the
 * motion of their ends about the centres (zero for balls). */
static double way(const AbutContactWork *contact, double timestep)
{
	double across[3] = {0.0, 0.0, 0.0}, about = 0.0;
	for (int i = 0; i < 2; i++) {
		const AbutContactSide *side = &contact->side[i];
		const AbutBodyWork *body = side->body;
		double before[3], after[3];
		if (body->moving < 0) {
			continue;
		}
		abut_mat3_vec(body->R0, side->rows->centre, before);
		abut_mat3_vec(body->R, side->rows->centre, after);
		for (int j = 0; j < 3; j++) {
			across[j] += side->sign * (timestep * body->v[j] + after[j] - before[j]);
		}
		about += 2.0 * abut_norm3(body->psi) * (side->rows->outer_radius - side->rows->inner_radius);
	}
	return abut_norm3(across) + about;
}

/* Returns an upper bound of `way` that is cheap to compute from the bodies' velocities and is sufficient for bodies at
 * rest. */
static double way_at_most(const AbutContactWork *contact, double timestep)
{
	double most = 0.0;
	for (int i = 0; i < 2; i++) {
		const AbutBodyWork *body = contact->side[i].body;
		if (body->moving >= 0) {
			most += timestep * abut_norm3(body->v) + 4.0 * body->radius * abut_norm3(body->psi);
		}
	}
	return most;
}

static double thickness(const AbutContactWork *contact)
{
	return contact->side[0].rows->inner_radius + contact->side[1].rows->inner_radius;
}

/* Returns whether the parts could have passed through each other. This is impossible with a halfspace; and a pair that
 * recovers from overlap is not counted. */
static bool can_pass(const AbutContactWork *contact, double timestep)
{
	const double thick = thickness(contact);
	return contact->side[1].rows->bounded && way_at_most(contact, timestep) > thick &&
	       contact->overlap.kept == 0.0 && contact->overlap.start_alpha < 0.0 && way(contact, timestep) > thick;
}

bool abut_step_passes_through(const AbutModel *model, const AbutIsland *island)
{
	const AbutContactProblem *problem = &island->problem;
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		if (can_pass(contact, problem->timestep) &&
		    !abut_step_kept_apart(model, contact, ABUT_SHALLOW * thickness(contact))) {
			return true;
		}
	}
	return false;
}
