/* Exact solutions on the border of two modes of a contact: it touches and carries no load, or its friction is at its
 * bound and nothing slips. On one side the contact holds, on the other it does not, and the step has a derivative for
 * each. Where both lead to the same motion, as where other contacts hold what this one would, that is the derivative;
 * where they do not, there is none. Tested in tests/dynamics/test_gradient_border.c. */
#include <math.h>

#include "dynamics/gradient_part.h"

/* A solution nearer than this to a border is on it, since steps are solved to 1e-11; and how far from it its sides
 * are, so that rounding does not matter. */
static const double least_margin = 1e-9, aside = 4e-9;
/* By how much both sides may differ, of the motion or of what moves a body in flight: the derivative is good to a
 * tenth of that. */
static const double agreement = 1e-5;

static double gap_margin(const AbutContactWork *contact, const double *z, const double *H)
{
	const AbutCone *gap = contact->cones;
	return z[gap->offset] - gap->weight * H[gap->offset];
}

static AbutOneSided border_of(const AbutIsland *island, const AbutContactWork *contact)
{
	const AbutIterate *it = &island->iterate;
	const double gap = gap_margin(contact, it->z, it->H);
	if (fabs(gap) < least_margin) {
		return ABUT_ONE_SIDED_UNLOADED;
	}
	const double friction = abut_friction_margin(island->problem.friction_cone, contact->pair->tail,
	                                             contact->friction_cones, it->z, it->H);
	return gap > 0.0 && fabs(friction) < least_margin ? ABUT_ONE_SIDED_SLIPPING : ABUT_ONE_SIDED_NOT;
}

AbutRefusal abut_gradient_border(const AbutIsland *island)
{
	AbutRefusal border = {.why = ABUT_ONE_SIDED_NOT};
	for (int i = 0; i < island->problem.n_contacts && border.why == ABUT_ONE_SIDED_NOT; i++) {
		const AbutContactWork *contact = &island->problem.contacts[i];
		border = (AbutRefusal){.why = border_of(island, contact),
		                       .body = {contact->side[0].body->body, contact->side[1].body->body}};
	}
	return border;
}

void abut_gradient_leave_border(const AbutIsland *island, bool closed, double *z)
{
	const double by = closed ? aside : -aside;
	for (int i = 0; i < island->problem.n_contacts; i++) {
		const AbutContactWork *contact = &island->problem.contacts[i];
		const AbutOneSided border = border_of(island, contact);
		if (border == ABUT_ONE_SIDED_UNLOADED) {
			z[contact->cones[0].offset] += by;
		}
		if (border != ABUT_ONE_SIDED_NOT) {
			abut_friction_lean(island->problem.friction_cone, contact->pair->tail, contact->friction_cones,
			                   by, z);
		}
	}
}

/* Whether a lane of the last drive differs. */
static bool differs(const AbutGradientPart *a, const AbutGradientPart *b, int lane)
{
	double size = 1.0, apart = 0.0;
	for (int i = 0; i < ABUT_GRADIENT_ROWS * a->n; i++) {
		size = fmax(size, fmax(fabs(a->next[i][lane]), fabs(b->next[i][lane])));
		apart += fabs(a->next[i][lane] - b->next[i][lane]);
	}
	return !(apart <= agreement * size);
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
			if ((by < ABUT_BY_PARAMETER || lane < n) && out->why == ABUT_ONE_SIDED_NOT &&
			    (!open || differs(closed, open, lane))) {
				*out = *border;
			}
		}
	}
}
