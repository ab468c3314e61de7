/* Sets up a candidate as a contact: the places of its unknowns, its cones, its scales and weights, and its reference
 * direction. Also computes the sizes of a contact from the cones of its shapes. */
#include "dynamics/contact/setup.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "collision/rows/conic_rows.h"
#include "collision/rows/smooth_rows.h"
#include "dynamics/contact/friction.h"

/* Takes the first axis that is clearly across the direction, not the one most across. Two axes may be equally across,
 * for example for the normal of a floor. Rounding would then switch between them and change the meaning of the last
 * friction impulses. */
void abut_axis_across(const double direction[3], double axis[3])
{
	static const double across =
	    0.65; /* above sqrt(1 / 3), so one axis always qualifies; not at a usual slope angle */
	const double limit = across * abut_norm3(direction);
	int first = 0;
	while (first < 2 && fabs(direction[first]) > limit) {
		first++;
	}
	for (int i = 0; i < 3; i++) {
		axis[i] = i == first ? 1.0 : 0.0;
	}
}

/* Returns the expected normal: that of the last step, or of a halfspace, or otherwise the line of centres. */
static void expected_normal(const AbutContactWork *contact, bool warm, double out[3])
{
	const AbutContactSide *a = &contact->side[0], *b = &contact->side[1];
	if (warm && contact->last.entry->solved) {
		abut_copy3(contact->last.entry->normal, out);
		return;
	}
	if (!b->rows->bounded) {
		abut_mat3_vec(b->body->R0, b->rows->W, out);
		return;
	}
	double centre_a[3], centre_b[3];
	abut_mat3_vec(a->body->R0, a->rows->centre, centre_a);
	abut_mat3_vec(b->body->R0, b->rows->centre, centre_b);
	abut_add3(b->from_side_0, centre_b, out);
	abut_sub3(out, centre_a, out);
}

void abut_step_place(AbutContactWork *contact)
{
	const double *origin = contact->side[0].body->x0;
	for (int i = 0; i < 2; i++) {
		AbutContactSide *side = &contact->side[i];
		abut_sub3(side->body->x0, origin, side->from_side_0);
		abut_add3(side->from_side_0, side->offset, side->from_side_0);
	}
}

static void setup_side(const AbutModel *model, const AbutPair *pair, int index, AbutBodyWork *bodies,
                       AbutContactSide *side, double **side_memory)
{
	const AbutConicRows *rows = &model->parts[pair->part[index]].rows;
	side->body = &bodies[pair->body[index]];
	side->sign = index == 0 ? -1.0 : 1.0;
	side->shift = 0.0;
	memset(side->offset, 0, sizeof side->offset);
	memset(side->velocity, 0, sizeof side->velocity);
	side->B_lambda = *side_memory;
	side->eps_map = *side_memory + rows->n_eps;
	*side_memory += 7 * rows->n_eps;
	side->rows = abut_conic_rows_place(rows, *side_memory);
	*side_memory += abut_conic_rows_place_size(rows);
}

/* Returns I, by which impulses are divided: half the larger speed of the two bodies, in model units, but at least 1
 * (docs/formulation.md 3). */
double abut_step_impulse_scale(const AbutContactWork *contact)
{
	double speed = 0.0;
	for (int i = 0; i < 2; i++) {
		const AbutBodyWork *body = contact->side[i].body;
		if (body->moving >= 0) {
			speed = fmax(speed, abut_norm3(body->v0));
		}
	}
	return fmax(1.0, 0.5 * speed);
}

/* Sets the places of the contact's unknowns in the pair's y and z. */
static void place_unknowns(AbutFrictionCone kind, AbutContactWork *contact)
{
	AbutContactSide *a = &contact->side[0], *b = &contact->side[1];
	contact->at.n_friction_y = abut_friction_n_y(kind, contact->pair->tail);
	contact->at.n_friction_z = abut_friction_n_z(kind, contact->pair->tail);
	a->y = 4;
	b->y = a->y + a->rows->n_eps;
	contact->at.psi_y = b->y + b->rows->n_eps;
	contact->at.friction_z = 1;
	contact->at.alpha_z = 1 + contact->at.n_friction_z;
	a->z = contact->at.alpha_z + 1;
	b->z = a->z + a->rows->n_rows;
	contact->definite = a->rows->n_soc == 0 && b->rows->n_soc == 0;
}

/* Sets the scales and weights of the contact's equations. Recovery and homotopies may change them later. */
static void set_weights(const AbutModel *model, AbutContactWork *contact)
{
	const AbutFormulation *formulation = &model->formulation;
	contact->scale.sigma = formulation->published ? abut_raw_sigma : 3.0 / contact->pair->scale;
	contact->overlap.kept = 0.0;
	contact->overlap.start_alpha = -1.0;
	contact->scale.weight_contact = formulation->weight_contact;
	contact->scale.weight_friction = formulation->weight_friction * (formulation->published ? abut_raw_sigma : 1.0);
	contact->scale.impulse = formulation->published ? abut_raw_sigma : abut_step_impulse_scale(contact);
	contact->mu = contact->pair->mu;
}

static void set_reference(const AbutModel *model, AbutContactWork *contact)
{
	double normal[3];
	expected_normal(contact, model->options.warm_start, normal);
	abut_axis_across(normal, contact->reference);
	if (contact->pair->tail == 1 && fabs(normal[1]) < 0.5 * abut_norm3(normal)) { /* slip is in the x-z plane */
		const double y[3] = {0.0, 1.0, 0.0};
		abut_cross3(y, normal, contact->reference);
	}
}

static void add_orthant(AbutContactPlace *place, int offset, double weight)
{
	place->cones[place->n_cones++] =
	    (AbutCone){.kind = ABUT_CONE_ORTHANT, .offset = offset, .dim = 1, .weight = weight, .law = place->law};
	place->law += abut_cone_law_size(ABUT_CONE_ORTHANT, 1);
}

/* Creates the cones of gamma, friction, lambda_alpha and both sides. The cones of the collision problem (lambda_alpha
 * and both sides) compete to be active in the blocks of both bodies. */
static void add_cones(AbutFrictionCone kind, AbutContactPlace *place, AbutContactWork *contact)
{
	const int z = place->z;
	contact->cones = &place->cones[place->n_cones];
	add_orthant(place, z, 1.0);
	contact->friction_cones = &place->cones[place->n_cones];
	place->n_cones += abut_friction_cones(kind, contact->pair->tail, z + contact->at.friction_z, &place->law,
	                                      &place->cones[place->n_cones]);
	contact->alpha_cone = &place->cones[place->n_cones];
	add_orthant(place, z + contact->at.alpha_z, ABUT_EXACT_WEIGHT_COLLISION);
	const int collision = place->n_cones;
	for (int i = 0; i < 2; i++) {
		AbutContactSide *side = &contact->side[i];
		side->cones = &place->cones[place->n_cones];
		place->n_cones += abut_conic_rows_cones(side->rows, z + side->z, ABUT_EXACT_WEIGHT_COLLISION,
		                                        &place->law, &place->cones[place->n_cones]);
	}
	for (int i = collision; i < place->n_cones; i++) { /* each moving body is one block */
		for (int j = 0; j < 2; j++) {
			const int moving = contact->side[j].body->moving;
			place->cones[i].block[j] = moving < 0 ? 0 : 1 + moving;
		}
	}
}

void abut_contact_setup(const AbutModel *model, const AbutPair *pair, int index, AbutContactStore *store,
                        AbutBodyWork *bodies, AbutContactPlace *place, AbutContactWork *contact)
{
	const AbutFrictionCone kind = model->options.friction_cone;
	contact->index = index;
	contact->pair = pair;
	contact->last.entry = &store->entries[index];
	contact->last.y = &store->y[contact->last.entry->y];
	contact->last.z = &store->z[contact->last.entry->z];
	for (int i = 0; i < 2; i++) {
		setup_side(model, pair, i, bodies, &contact->side[i], &place->side_memory);
	}
	place_unknowns(kind, contact);
	set_weights(model, contact);
	abut_step_place(contact);
	set_reference(model, contact);
	add_cones(kind, place, contact);
	contact->at.y = place->y;
	contact->at.z = place->z;
	place->y += pair->n_y;
	place->z += pair->n_z;
}

void abut_contact_size(const AbutModel *model, AbutPair *pair)
{
	const AbutFrictionCone cone = model->options.friction_cone;
	int n_rows = 0, law = 2 * abut_cone_law_size(ABUT_CONE_ORTHANT, 1); /* gamma and lambda_alpha */
	pair->n_cones = 2 + abut_friction_cones(cone, pair->tail, 0, &law, NULL);
	int n_eps = 0;
	pair->n_side = 0;
	for (int i = 0; i < 2; i++) {
		const AbutPart *part = &model->parts[pair->part[i]];
		n_rows += part->rows.n_rows;
		n_eps += part->rows.n_eps;
		pair->n_side += abut_side_memory(&part->rows);
		pair->n_cones += part->n_cones;
		law += part->law_size;
	}
	pair->n_law = law;
	pair->n_y = 4 + n_eps + abut_friction_n_y(cone, pair->tail);
	pair->n_z = 2 + n_rows + abut_friction_n_z(cone, pair->tail);
}

AbutRoom abut_contact_room(const AbutModel *model, int contacts)
{
	const AbutFrictionCone cone = model->options.friction_cone;
	int eps = 0, side = 0, rows = 0, part_law = 0, part_cones = 0; /* maxima over all parts */
	for (int i = 0; i < model->n_parts; i++) {
		const AbutPart *part = &model->parts[i];
		eps = part->rows.n_eps > eps ? part->rows.n_eps : eps;
		const int memory = abut_side_memory(&part->rows);
		side = memory > side ? memory : side;
		rows = part->rows.n_rows > rows ? part->rows.n_rows : rows;
		part_law = part->law_size > part_law ? part->law_size : part_law;
		part_cones = part->n_cones > part_cones ? part->n_cones : part_cones;
	}
	int law = 2 * abut_cone_law_size(ABUT_CONE_ORTHANT, 1);
	const int cones = 2 + abut_friction_cones(cone, 3, 0, &law, NULL);
	return (AbutRoom){.contacts = contacts,
	                  .n_y = abut_room_total(contacts, 4 + 2 * eps + abut_friction_n_y(cone, 3)),
	                  .n_z = abut_room_total(contacts, 2 + 2 * rows + abut_friction_n_z(cone, 3)),
	                  .n_law = abut_room_total(contacts, law + 2 * part_law),
	                  .n_cones = abut_room_total(contacts, cones + 2 * part_cones),
	                  .n_side = abut_room_total(contacts, 2 * side)};
}

void abut_scale_forces(const AbutContactWork *contact, AbutFrictionCone cone, double factor, double *z)
{
	z[0] *= factor; /* gamma */
	const int first =
	    contact->at.friction_z + (cone == ABUT_FRICTION_CONE_PYRAMID ? 1 : 0); /* psi of the pyramid is a slip */
	for (int i = first; i < contact->at.friction_z + contact->at.n_friction_z; i++) {
		z[i] *= factor;
	}
}

void abut_step_no_force(const AbutContactWork *contact, double *z)
{
	memset(z, 0, (size_t)contact->at.alpha_z * sizeof(double));
}
