/* What of a part's derivative its equations do not tell, or not as one: a contact that recovers from overlap does so by
 * as much as its bodies overlap at the start, which the equations hold as a constant; and a point in a vertex of more
 * than three faces has, by one of these alone, a derivative for each way that it moves, as the vertex becomes an edge.
 * Tested in tests/dynamics/test_gradient_unknown.c. */
#include "dynamics/gradient_part.h"

static void refuse(AbutRefusal *out, AbutRefusalWhy why, const AbutPair *pair)
{
	if (out->why == ABUT_REFUSED_NOT) {
		*out = (AbutRefusal){.why = why, .body = {pair->body[0], pair->body[1]}};
	}
}

/* --- overlap at the start --- */

/* Whether the parameter changes how far the bodies of a pair overlap, or how much of it a step may undo. */
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

static void refuse_overlap(const AbutGradientAsk *ask, const AbutPair *pair, AbutGradientPart *part)
{
	refuse(&part->refused[ABUT_BY_POSES], ABUT_REFUSED_OVERLAPPING, pair);
	for (int i = 0; i < ask->n_parameters; i++) {
		if (changes_overlap(ask->model, pair, &ask->parameters[i])) {
			refuse(&part->refused[ABUT_BY_PARAMETER + i], ABUT_REFUSED_OVERLAPPING, pair);
		}
	}
}

/* --- vertices of many faces --- */

static bool is_held(const AbutIterate *it, const AbutCone *cone, int entry)
{
	return it->z[cone->offset + entry] > cone->weight * it->H[cone->offset + entry];
}

static int count_held(const AbutIterate *it, const AbutConicRows *rows, const AbutCone *cones)
{
	int n = 0;
	for (int i = 0; i < abut_conic_rows_cone_count(rows); i++) {
		for (int j = 0; cones[i].kind == ABUT_CONE_ORTHANT && j < cones[i].dim; j++) {
			n += is_held(it, &cones[i], j);
		}
	}
	return n;
}

/* Whether row `row` of a side is one that holds the point. */
static bool holds(const AbutIterate *it, const AbutContactWork *contact, const AbutContactSide *side, int row)
{
	const int place = contact->z + side->z + row;
	for (int i = 0; i < abut_conic_rows_cone_count(side->rows); i++) {
		const AbutCone *cone = &side->cones[i];
		if (cone->kind == ABUT_CONE_ORTHANT && place >= cone->offset && place < cone->offset + cone->dim) {
			return is_held(it, cone, place - cone->offset);
		}
	}
	return false;
}

static void refuse_corner(const AbutIterate *it, const AbutGradientAsk *ask, const AbutContactWork *contact, int index,
                          AbutGradientPart *part)
{
	const AbutContactSide *side = &contact->side[index];
	if (count_held(it, side->rows, side->cones) <= 3) {
		return;
	}
	for (int i = 0; i < ask->n_parameters; i++) {
		const AbutParameter *p = &ask->parameters[i];
		if (p->kind == ABUT_PARAMETER_FACE &&
		    contact->pair->part[index] == abut_parameter_part(ask->model, p) &&
		    holds(it, contact, side, p->index / 4)) {
			refuse(&part->refused[ABUT_BY_PARAMETER + i], ABUT_REFUSED_CROWDED, contact->pair);
		}
	}
}

/* --- all --- */

void abut_gradient_refuse_unknown(const AbutIsland *island, const AbutGradientAsk *ask, AbutGradientPart *part)
{
	const AbutIterate *it = &island->iterate;
	for (int i = 0; i < island->problem.n_contacts; i++) {
		const AbutContactWork *contact = &island->problem.contacts[i];
		if (!ask->smoothed && !is_held(it, contact->cones, 0)) {
			continue; /* open */
		}
		if (abut_contact_recovers(contact)) {
			refuse_overlap(ask, contact->pair, part);
		}
		for (int side = 0; !ask->smoothed && side < 2; side++) {
			refuse_corner(it, ask, contact, side, part);
		}
	}
	for (int i = 0; i < island->points.n; i++) { /* of method point-ncp */
		const AbutPoint *point = &island->points.points[i];
		if (point->shift > 0.0) {
			refuse_overlap(ask, point->pair, part);
		}
	}
}
