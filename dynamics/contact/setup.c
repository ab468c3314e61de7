/* The active pairs as contacts of the problem. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/step/step_parts.h"

/* Not the one most across: two that are equally so, as of the normal of a floor, would change places by rounding, and
 * with them the meaning of the last friction impulses. */
void abut_axis_across(const double direction[3], double axis[3])
{
	static const double across = 0.65; /* above sqrt(1 / 3): one always is; at no usual angle of a slope */
	const double limit = across * abut_norm3(direction);
	int first = 0;
	while (first < 2 && fabs(direction[first]) > limit) {
		first++;
	}
	for (int i = 0; i < 3; i++) {
		axis[i] = i == first ? 1.0 : 0.0;
	}
}

/* What is known of the normal before the step: that of the last step, of a halfspace, or the line of centres. */
static void expected_normal(const AbutContactWork *contact, bool warm, double out[3])
{
	const AbutContactSide *a = &contact->side[0], *b = &contact->side[1];
	if (warm && contact->memory->solved) {
		abut_copy3(contact->memory->normal, out);
		return;
	}
	if (!b->rows->bounded) {
		abut_mat3_vec(b->body->R0, b->rows->W, out);
		return;
	}
	double centre_a[3], centre_b[3];
	abut_mat3_vec(a->body->R0, a->rows->centre, centre_a);
	abut_mat3_vec(b->body->R0, b->rows->centre, centre_b);
	for (int i = 0; i < 3; i++) {
		out[i] = b->from_side_0[i] + centre_b[i] - centre_a[i];
	}
}

void abut_step_place(AbutContactWork *contact)
{
	const double *origin = contact->side[0].body->x0;
	for (int i = 0; i < 2; i++) {
		AbutContactSide *side = &contact->side[i];
		for (int j = 0; j < 3; j++) {
			side->from_side_0[j] = side->body->x0[j] - origin[j] + side->offset[j];
		}
	}
}

static void setup_side(const AbutModel *model, const AbutPair *pair, int index, AbutWorkspace *w, AbutContactSide *side,
                       double **side_memory)
{
	const AbutConicRows *rows = &model->parts[pair->part[index]].rows;
	side->body = &w->bodies[pair->body[index]];
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

/* Impulses are divided by this in contacts at speed (docs/formulation.md 3). */
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

static int setup_contact(const AbutModel *model, AbutWorkspace *w, int index, AbutContactWork *contact, AbutCone *cones,
                         int z, int *law, double **side_memory)
{
	const AbutPair *pair = &w->pairs.candidates[index].pair;
	const AbutFrictionCone kind = model->options.friction_cone;
	AbutContactSide *a = &contact->side[0], *b = &contact->side[1];
	double normal[3];
	contact->index = index;
	contact->pair = pair;
	contact->memory = &w->pairs.store.entries[index];
	contact->memory_y = &w->pairs.store.y[contact->memory->y];
	contact->memory_z = &w->pairs.store.z[contact->memory->z];
	setup_side(model, pair, 0, w, a, side_memory);
	setup_side(model, pair, 1, w, b, side_memory);
	contact->n_friction_y = abut_friction_n_y(kind, pair->tail);
	contact->n_friction_z = abut_friction_n_z(kind, pair->tail);
	a->y = 4;
	b->y = a->y + a->rows->n_eps;
	contact->psi_y = b->y + b->rows->n_eps;
	contact->friction_z = 1;
	contact->alpha_z = 1 + contact->n_friction_z;
	a->z = contact->alpha_z + 1;
	b->z = a->z + a->rows->n_rows;
	contact->definite = a->rows->n_soc == 0 && b->rows->n_soc == 0;
	const AbutFormulation *formulation = &model->formulation;
	contact->sigma = formulation->published ? abut_raw_sigma : 3.0 / pair->scale;
	contact->delta = 0.0;
	contact->start_alpha = -1.0;
	contact->weight_contact = formulation->weight_contact;
	contact->weight_friction = formulation->weight_friction * (formulation->published ? abut_raw_sigma : 1.0);
	contact->impulse_scale = formulation->published ? abut_raw_sigma : abut_step_impulse_scale(contact);
	contact->mu = pair->mu;
	abut_step_place(contact);
	expected_normal(contact, model->options.warm_start, normal);
	abut_axis_across(normal, contact->reference);
	if (pair->tail == 1 && fabs(normal[1]) < 0.5 * abut_norm3(normal)) { /* slip is along the plane of x and z */
		const double y[3] = {0.0, 1.0, 0.0};
		abut_cross3(y, normal, contact->reference);
	}

	int n_cones = 0;
	contact->cones = cones;
	cones[n_cones++] = (AbutCone){.kind = ABUT_CONE_ORTHANT, .offset = z, .dim = 1, .weight = 1.0, .law = *law};
	*law += abut_cone_law_size(ABUT_CONE_ORTHANT, 1);
	contact->friction_cones = &cones[n_cones];
	n_cones += abut_friction_cones(kind, pair->tail, z + contact->friction_z, law, &cones[n_cones]);
	contact->alpha_cone = &cones[n_cones];
	cones[n_cones++] = (AbutCone){.kind = ABUT_CONE_ORTHANT,
	                              .offset = z + contact->alpha_z,
	                              .dim = 1,
	                              .weight = ABUT_EXACT_WEIGHT_COLLISION,
	                              .law = *law};
	*law += abut_cone_law_size(ABUT_CONE_ORTHANT, 1);
	const int collision = n_cones;
	for (int i = 0; i < 2; i++) {
		AbutContactSide *side = &contact->side[i];
		side->cones = &cones[n_cones];
		n_cones +=
		    abut_conic_rows_cones(side->rows, z + side->z, ABUT_EXACT_WEIGHT_COLLISION, law, &cones[n_cones]);
	}
	for (int i = collision; i < n_cones; i++) { /* a body is a block */
		for (int j = 0; j < 2; j++) {
			const int moving = contact->side[j].body->moving;
			cones[i].block[j] = moving < 0 ? 0 : 1 + moving;
		}
	}
	return n_cones;
}

void abut_step_setup(const AbutModel *model, AbutWorkspace *w, const AbutIslandMembers *members, int n_chosen,
                     double timestep, AbutIsland *island)
{
	AbutContactProblem *problem = &island->problem;
	int y = 6 * members->size.n_bodies, z = 0, n_cones = 0, law = 0;
	double caution = 0.0;
	double *side_memory = island->side_memory;
	problem->timestep = timestep;
	problem->friction_cone = model->options.friction_cone;
	problem->n_moving = members->size.n_bodies;
	problem->moving = &w->partition.moving[members->first_body];
	problem->n_contacts = n_chosen;
	for (int i = 0; i < n_chosen; i++) {
		AbutContactWork *contact = &problem->contacts[i];
		n_cones +=
		    setup_contact(model, w, island->chosen[i], contact, &island->cones[n_cones], z, &law, &side_memory);
		contact->y = y;
		contact->z = z;
		caution = fmax(caution, abut_conic_rows_caution(contact->side[0].rows, contact->side[1].rows));
		y += contact->pair->n_y;
		z += contact->pair->n_z;
	}
	problem->system = (AbutBlockSystem){members->pattern, island->blocks.blocks};
	island->warm = problem->moving[0]->last_timestep > 0.0;
	island->ncp = (AbutNcp){.problem = problem,
	                        .ops = &abut_contact_problem_ops,
	                        .n_y = y,
	                        .n_z = z,
	                        .cones = island->cones,
	                        .n_cones = n_cones,
	                        .caution = caution};
}
