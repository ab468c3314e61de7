/* Refuses derivatives that the equations of a part do not determine. There are two cases. A contact recovers from
 * overlap in proportion to the initial overlap, which the equations take as a constant. A contact point in a vertex of
 * more than three faces is undetermined if one face moves: the vertex becomes an edge, and the derivative depends on
 * the direction of the motion. Tested in tests/dynamics/gradient/test_gradient_unknown.c. */
#include "dynamics/gradient/unknown.h"

#include "dynamics/gradient/method.h"
#include "dynamics/gradient/part.h"
#include "dynamics/island/island.h"

/* --- overlap at the start --- */

/* Returns whether the parameter changes the initial overlap of a pair, or how much overlap one step may remove. */
static bool changes_overlap(const AbutModel *model, const AbutPair *pair, const AbutParameter *p)
{
	switch (p->kind) {
	case ABUT_PARAMETER_TIMESTEP:
		return true;
	case ABUT_PARAMETER_SIZE:
	case ABUT_PARAMETER_FACE:
	case ABUT_PARAMETER_PART_POSITION:
	case ABUT_PARAMETER_PART_ROTATION:
		return pair->part[0] == abut_parameter_part(model, p) || pair->part[1] == abut_parameter_part(model, p);
	case ABUT_PARAMETER_GRAVITY:
	case ABUT_PARAMETER_MASS:
	case ABUT_PARAMETER_INERTIA:
	case ABUT_PARAMETER_CENTRE_OF_MASS:
	case ABUT_PARAMETER_FRICTION:
	case ABUT_PARAMETER_TORSIONAL_RADIUS:
	case ABUT_PARAMETER_COUNT:
		break;
	}
	return false;
}

void abut_gradient_refuse_overlap(const AbutGradientAsk *ask, const AbutPair *pair, AbutGradientPart *part)
{
	abut_gradient_refuse_for(ABUT_REFUSED_OVERLAPPING, pair, &part->refused[ABUT_BY_POSES]);
	for (int i = 0; i < ask->n_parameters; i++) {
		if (changes_overlap(ask->model, pair, &ask->parameters[i])) {
			abut_gradient_refuse_for(ABUT_REFUSED_OVERLAPPING, pair, &part->refused[ABUT_BY_PARAMETER + i]);
		}
	}
}

/* --- vertices of many faces --- */

/* Returns the number of faces that hold the contact point on a side. Sets `holds` if the face of `row` is one of them.
 */
static int count_held(const AbutIterate *it, const AbutContactWork *contact, const AbutContactSide *side, int row,
                      bool *holds)
{
	const int place = contact->at.z + side->z + row;
	int n = 0;
	*holds = false;
	for (int i = 0; i < abut_conic_rows_cone_count(side->rows); i++) {
		const AbutCone *cone = &side->cones[i];
		for (int j = 0; cone->kind == ABUT_CONE_ORTHANT && j < cone->dim; j++) {
			const bool held = abut_gradient_margin(cone, j, it) > 0.0;
			n += held;
			*holds = *holds || (held && cone->offset + j == place);
		}
	}
	return n;
}

static void refuse_corners(const AbutIterate *it, const AbutGradientAsk *ask, const AbutContactWork *contact,
                           AbutGradientPart *part)
{
	for (int i = 0; i < ask->n_parameters; i++) {
		const AbutParameter *p = &ask->parameters[i];
		for (int side = 0; p->kind == ABUT_PARAMETER_FACE && side < 2; side++) {
			bool holds;
			if (contact->pair->part[side] == abut_parameter_part(ask->model, p) &&
			    count_held(it, contact, &contact->side[side], p->index / 4, &holds) > 3 && holds) {
				abut_gradient_refuse_for(ABUT_REFUSED_CROWDED, contact->pair,
				                         &part->refused[ABUT_BY_PARAMETER + i]);
			}
		}
	}
}

/* --- all --- */

void abut_gradient_refuse_unknown(const AbutIsland *island, const AbutGradientAsk *ask, AbutGradientPart *part)
{
	const AbutIterate *it = &island->iterate;
	for (int i = 0; i < island->problem.n_contacts; i++) {
		const AbutContactWork *contact = &island->problem.contacts[i];
		if (!ask->smoothed && !(abut_gradient_margin(contact->cones, 0, it) > 0.0)) {
			continue; /* open */
		}
		if (abut_contact_recovers(contact)) {
			abut_gradient_refuse_overlap(ask, contact->pair, part);
		}
		if (!ask->smoothed) {
			refuse_corners(it, ask, contact, part);
		}
	}
	const AbutMethodGradient *method = ask->model->method->gradient;
	if (method->refuse_edges) {
		method->refuse_edges(island, ask, part);
	}
}
