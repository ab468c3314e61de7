/* Limits the speed at which bodies recover from initial overlap (docs/formulation.md 8). A halfspace is moved back for
 * this step; a pair may keep part of its overlap. The centres of a nearly concentric pair, whose normal is undefined,
 * are moved apart for the solve. */
#include "dynamics/solve/recovery.h"

#include "base/vec3.h"
#include "dynamics/contact/plane_depth.h"
#include "dynamics/contact/setup.h"
#include "dynamics/solve/collision_alone.h"
#include "dynamics/state/memory.h"
#include "shapes/support/support.h"

/* Computes alpha of the pair at the poses of the start. Returns false if the solve fails. */
static bool start_scaling(AbutIsland *island, AbutContactWork *contact, double *alpha)
{
	abut_step_place(contact);
	abut_step_scaling_poses(contact, island->problem.timestep, true, &island->scaling);
	return abut_scaling_solve(&island->scaling, 1e-6, &island->iterate, alpha, NULL);
}

/* Computes the vector from the centre of side 0 to that of side 1 at the start of the step. */
static void line_of_centres(const AbutContactWork *contact, double line[3])
{
	const AbutContactSide *a = &contact->side[0], *b = &contact->side[1];
	double centre_a[3];
	abut_mat3_vec(a->body->R0, a->rows->centre, centre_a);
	abut_mat3_vec(b->body->R0, b->rows->centre, line);
	for (int i = 0; i < 3; i++) {
		line[i] += b->from_side_0[i] - centre_a[i];
	}
}

/* Moves side 1 to `distance` from side 0 along the line of centres. If the centres coincide, the line is opposite to
 * gravity, or along z without gravity, and a moving body is placed above a static one. */
static void separate_centres(const AbutModel *model, AbutContactWork *contact, double distance)
{
	AbutContactSide *b = &contact->side[1];
	const double g = abut_norm3(model->gravity);
	const double side_1_up = b->body->moving >= 0 ? 1.0 : -1.0;
	double line[3];
	line_of_centres(contact, line);
	const double length = abut_norm3(line);
	const bool defined = length > 1e-3 * contact->pair->outer_radius;
	for (int i = 0; i < 3; i++) {
		const double up = g > 0.0 ? -model->gravity[i] / g : (i == 2 ? 1.0 : 0.0);
		b->offset[i] = distance * (defined ? line[i] / length : side_1_up * up) - line[i];
	}
}

static void recover_pair(const AbutModel *model, AbutIsland *island, AbutContactWork *contact)
{
	const double R = contact->pair->outer_radius;
	const double allowed = 2.0 * ABUT_RECOVERY_SPEED * island->problem.timestep / R;
	double line[3], alpha;
	line_of_centres(contact, line);
	if ((!island->resume && contact->last.entry->solved && contact->last.entry->alpha >= 1.0 - allowed) ||
	    abut_norm3(line) >= R || !start_scaling(island, contact, &alpha)) {
		return;
	}
	if (alpha < 0.1) {
		contact->overlap.start_alpha = alpha;
		separate_centres(model, contact, 0.2 * R);
		alpha = start_scaling(island, contact, &alpha) ? fmax(alpha, 0.1) : 0.1;
	}
	contact->overlap.kept = fmax(0.0, 1.0 - alpha - allowed);
}

/* Returns whether the last solution shows that the part is no deeper in a halfspace than this step may undo. The part
 * scaled by alpha touches the plane, so its depth is at most (1 - alpha) times its radius. Used only if the support
 * function is expensive. */
static bool known_to_be_clear(const AbutModel *model, const AbutIsland *island, const AbutContactWork *contact,
                              double allowed)
{
	const AbutContactMemory *memory = contact->last.entry;
	return !island->resume && memory->solved &&
	       (1.0 - memory->alpha) * contact->side[0].rows->outer_radius <= allowed &&
	       !abut_shape_support_is_closed(model->parts[contact->pair->part[0]].shape);
}

static void recover_from_plane(const AbutModel *model, const AbutIsland *island, AbutContactWork *contact)
{
	const double allowed = ABUT_RECOVERY_SPEED * island->problem.timestep;
	contact->overlap.start_depth = 0.0;
	if (!known_to_be_clear(model, island, contact, allowed)) {
		contact->overlap.start_depth = abut_plane_depth(model, contact, 0.0);
		contact->side[1].shift = -abut_max(0.0, contact->overlap.start_depth - allowed);
	}
}

void abut_step_recovery(const AbutModel *model, AbutIsland *island)
{
	for (int i = 0; i < island->problem.n_contacts; i++) {
		AbutContactWork *contact = &island->problem.contacts[i];
		if (contact->side[1].rows->bounded) {
			recover_pair(model, island, contact);
		} else {
			recover_from_plane(model, island, contact);
		}
	}
}
