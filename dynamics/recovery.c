/* Overlap at the start of a step recovers at a bounded speed (docs/formulation.md 8): a plane is moved back for this
 * step, a pair may keep part of its overlap, and a nearly concentric pair, whose normal is not defined, is solved
 * apart. */
#include <string.h>

#include "base/vec3.h"
#include "dynamics/step_parts.h"

/* Allowed speed of separation, in units of sqrt(g L). */
static const double recovery_speed = 1.0;

/* alpha of the pair at the start poses; below 0 when the solve fails. */
static double start_scaling(AbutWorkspace *w, const AbutContactWork *contact)
{
	double alpha = -1.0;
	abut_step_scaling_poses(contact, true, &w->scaling);
	return abut_scaling_solve(&w->scaling, 1e-6, &w->iterate, &alpha, NULL) ? alpha : -1.0;
}

/* Moves side 1 to a distance of `distance` from side 0 along the line of centres, or, when they coincide, so that a
 * moving body ends above a static one. */
static void separate_centres(AbutContactWork *contact, double distance)
{
	AbutContactSide *a = &contact->side[0], *b = &contact->side[1];
	double centre_a[3], centre_b[3], line[3];
	abut_mat3_vec(a->body->R0, a->rows->centre, centre_a);
	abut_mat3_vec(b->body->R0, b->rows->centre, centre_b);
	for (int i = 0; i < 3; i++) {
		line[i] = b->body->x0[i] + centre_b[i] - a->body->x0[i] - centre_a[i];
	}
	const double length = abut_norm3(line);
	const bool defined = length > 1e-3 * contact->pair->outer_radius;
	for (int i = 0; i < 3; i++) {
		const double up = i != 2 ? 0.0 : b->body->moving >= 0 ? 1.0 : -1.0;
		b->offset[i] = distance * (defined ? line[i] / length : up) - line[i];
	}
}

static void recover_pair(const AbutState *state, AbutWorkspace *w, AbutContactWork *contact)
{
	const double R = contact->pair->outer_radius;
	const double allowed = 2.0 * recovery_speed * w->problem.timestep / R;
	const double last = state->pair_alpha[contact->index];
	if (last >= 1.0 - allowed) {
		return;
	}
	double alpha = start_scaling(w, contact);
	if (alpha < 0.1) {
		separate_centres(contact, 0.2 * R);
		alpha = fmax(start_scaling(w, contact), 0.1);
	}
	contact->delta = fmax(0.0, 1.0 - alpha - allowed);
}

void abut_step_recovery(const AbutModel *model, const AbutState *state, AbutWorkspace *w)
{
	for (int i = 0; i < w->n_active; i++) {
		AbutContactWork *contact = &w->contacts[i];
		if (contact->side[1].rows->bounded) {
			recover_pair(state, w, contact);
		} else {
			const double allowed = recovery_speed * w->problem.timestep;
			contact->side[1].shift = -fmax(0.0, abut_plane_depth(model, contact, true) - allowed);
		}
	}
}
