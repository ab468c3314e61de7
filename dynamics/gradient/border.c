/* Finds exact solutions on the border of two modes of a contact. There are three such borders: the contact touches
 * without load, its friction is at its bound without slip, or it carries load and its point lies at the end of a face
 * without pressing against that end. The step has a derivative on each side of the border. On the closed side the
 * contact carries load, sticks, or holds the point at the end; on the open side it does not. If both sides give the
 * same motion, for instance because other contacts hold the body anyway, this motion gives the derivative. Otherwise
 * the derivative does not exist. Tested in tests/dynamics/gradient/test_gradient_border.c. */
#include "dynamics/gradient/border.h"

#include <math.h>

#include "dynamics/gradient/held.h"
#include "dynamics/island/island.h"

/* A solution closer than least_margin to a border counts as on it, since steps are solved to 1e-11. The two sides are
 * evaluated at the distance `aside` from the border, where rounding does not matter. */
static const double least_margin = 1e-9, aside = 4e-9;
/* The two sides count as equal if they differ by at most this fraction of the motion of a body in flight. Derivatives
 * are accurate to a tenth of it. */
static const double agreement = 1e-5;

/* Returns whether the contact point lies on row `entry` of a shape's cone, but does not press against it. */
static bool is_row_border(const AbutCone *cone, int entry, const AbutIterate *it)
{
	return fabs(abut_gradient_margin(cone, entry, it)) < least_margin;
}

static bool has_row_border(const AbutIsland *island, const AbutContactWork *contact)
{
	const AbutIterate *it = &island->iterate;
	const AbutCone *end = contact->cones + contact->pair->n_cones;
	for (const AbutCone *cone = contact->side[0].cones; cone < end; cone++) {
		for (int i = 0; cone->kind == ABUT_CONE_ORTHANT && i < cone->dim; i++) {
			if (is_row_border(cone, i, it)) {
				return true;
			}
		}
	}
	return false;
}

static bool is_friction_border(const AbutIsland *island, const AbutContactWork *contact)
{
	const AbutIterate *it = &island->iterate;
	return fabs(abut_friction_margin(island->problem.friction_cone, contact->pair->tail, contact->friction_cones,
	                                 it->z, it->H)) < least_margin;
}

/* Returns the border that the contact's load or friction is on. Friction is checked only if the contact carries load.
 */
static AbutRefusalWhy load_border_of(const AbutIsland *island, const AbutContactWork *contact)
{
	const double gap = abut_gradient_margin(contact->cones, 0, &island->iterate);
	if (fabs(gap) < least_margin) {
		return ABUT_REFUSED_UNLOADED;
	}
	return gap > 0.0 && is_friction_border(island, contact) ? ABUT_REFUSED_SLIPPING : ABUT_REFUSED_NOT;
}

/* Returns whether the contact carries load and its point is at the end of a face. */
static bool is_at_end(const AbutIsland *island, const AbutContactWork *contact)
{
	return abut_gradient_margin(contact->cones, 0, &island->iterate) >= least_margin &&
	       has_row_border(island, contact);
}

AbutBorders abut_gradient_borders(const AbutIsland *island)
{
	AbutBorders borders = {.load = {.why = ABUT_REFUSED_NOT}, .end = {.why = ABUT_REFUSED_NOT}};
	for (int i = 0; i < island->problem.n_contacts; i++) {
		const AbutContactWork *contact = &island->problem.contacts[i];
		abut_gradient_refuse_for(load_border_of(island, contact), contact->pair, &borders.load);
		if (is_at_end(island, contact)) {
			abut_gradient_refuse_for(ABUT_REFUSED_LEAVING, contact->pair, &borders.end);
		}
	}
	return borders;
}

static void leave_rows(const AbutIsland *island, const AbutContactWork *contact, double by, double *z)
{
	const AbutIterate *it = &island->iterate;
	const AbutCone *end = contact->cones + contact->pair->n_cones;
	for (const AbutCone *cone = contact->side[0].cones; cone < end; cone++) {
		for (int i = 0; cone->kind == ABUT_CONE_ORTHANT && i < cone->dim; i++) {
			z[cone->offset + i] += is_row_border(cone, i, it) ? by : 0.0;
		}
	}
}

void abut_gradient_leave_border(const AbutIsland *island, AbutBorderSide side, double *z)
{
	const double by[] = {[ABUT_BORDER_OPEN] = -aside, [ABUT_BORDER_AS_IS] = 0.0, [ABUT_BORDER_CLOSED] = aside};
	for (int i = 0; i < island->problem.n_contacts; i++) {
		const AbutContactWork *contact = &island->problem.contacts[i];
		const AbutRefusalWhy border = load_border_of(island, contact);
		if (is_at_end(island, contact)) {
			leave_rows(island, contact, by[side.end], z);
		}
		if (border != ABUT_REFUSED_NOT) {
			z[contact->cones[0].offset] += border == ABUT_REFUSED_UNLOADED ? by[side.load] : 0.0;
			abut_friction_lean(island->problem.friction_cone, contact->pair->tail, contact->friction_cones,
			                   by[side.load], z);
		}
	}
}

/* Returns whether the results of the last abut_gradient_drive of the two parts differ in a lane. */
static bool differs(const AbutGradientPart *a, const AbutGradientPart *b, int lane)
{
	double size = 1.0, apart = 0.0;
	for (int i = 0; i < ABUT_GRADIENT_ROWS * a->n; i++) {
		size = fmax(size, fmax(fabs(a->lanes.next[i][lane]), fabs(b->lanes.next[i][lane])));
		apart += fabs(a->lanes.next[i][lane] - b->lanes.next[i][lane]);
	}
	return !(apart <= agreement * size);
}

/* Compares the two sides under pushes. If they agree, no body is about to tip. The point then lies at the end of a face
 * for another reason, such as two flush edges. The closed side would hold such a point at both edges, which is too
 * much. */
bool abut_gradient_tips(const AbutGradientPart *closed, const AbutGradientPart *open)
{
	bool apart = false;
	abut_gradient_drive(closed, ABUT_BY_IMPULSES);
	abut_gradient_drive(open, ABUT_BY_IMPULSES);
	for (int lane = 0; lane < ABUT_LANES; lane++) {
		apart = apart || differs(closed, open, lane);
	}
	return apart;
}

void abut_gradient_refuse_border(const AbutGradientPart *closed, const AbutGradientPart *open,
                                 const AbutRefusal *border)
{
	for (int by = 0, n = 0; by < ABUT_BY_PARAMETER + closed->n_parameters; by += n) {
		n = abut_gradient_driven(closed, by);
		abut_gradient_drive(closed, by);
		if (open) {
			abut_gradient_drive(open, by);
		}
		for (int lane = 0; lane < ABUT_LANES; lane++) {
			AbutRefusal *out = &closed->refused[by < ABUT_BY_PARAMETER ? by : by + lane];
			if ((by < ABUT_BY_PARAMETER || lane < n) && out->why == ABUT_REFUSED_NOT &&
			    (!open || differs(closed, open, lane))) {
				*out = *border;
			}
		}
	}
}
