/* The active pairs as contacts of the problem. */
#include <string.h>

#include "base/vec3.h"
#include "dynamics/step_parts.h"

/* The coordinate axis least aligned with a direction. */
static void least_aligned_axis(const double direction[3], double axis[3])
{
	int least = 0;
	for (int i = 1; i < 3; i++) {
		least = fabs(direction[i]) < fabs(direction[least]) ? i : least;
	}
	for (int i = 0; i < 3; i++) {
		axis[i] = i == least ? 1.0 : 0.0;
	}
}

/* What is known of the normal before the step: that of the last step, of a halfspace, or the line of centres. */
static void expected_normal(const AbutContactWork *contact, const AbutState *state, bool warm, double out[3])
{
	const AbutContactSide *a = &contact->side[0], *b = &contact->side[1];
	if (warm && state->warm_pair[contact->index]) {
		abut_copy3(&state->pair_normal[3 * contact->index], out);
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
	side->rows = &model->parts[pair->part[index]].rows;
	side->body = &w->bodies[pair->body[index]];
	side->sign = index == 0 ? -1.0 : 1.0;
	side->shift = 0.0;
	memset(side->offset, 0, sizeof side->offset);
	memset(side->velocity, 0, sizeof side->velocity);
	side->B_lambda = *side_memory;
	side->eps_map = *side_memory + side->rows->n_eps;
	*side_memory += 7 * side->rows->n_eps;
}

/* Impulses are divided by this in contacts at speed (docs/formulation.md 3). */
static double impulse_scale(const AbutContactWork *contact)
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

static int setup_contact(const AbutModel *model, const AbutState *state, AbutWorkspace *w, int index,
                         AbutContactWork *contact, AbutCone *cones, int z, int *law, double **side_memory)
{
	const AbutPair *pair = &model->pairs[index];
	const AbutFrictionCone kind = model->options.friction_cone;
	AbutContactSide *a = &contact->side[0], *b = &contact->side[1];
	double normal[3];
	contact->index = index;
	contact->pair = pair;
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
	contact->sigma = 3.0 / pair->outer_radius;
	contact->delta = 0.0;
	contact->start_alpha = -1.0;
	contact->weight_contact = ABUT_WEIGHT_CONTACT;
	contact->impulse_scale = impulse_scale(contact);
	contact->mu = pair->mu;
	abut_step_place(contact);
	expected_normal(contact, state, model->options.warm_start, normal);
	least_aligned_axis(normal, contact->reference);

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
	for (int i = 0; i < 2; i++) {
		AbutContactSide *side = &contact->side[i];
		side->cones = &cones[n_cones];
		n_cones +=
		    abut_conic_rows_cones(side->rows, z + side->z, ABUT_EXACT_WEIGHT_COLLISION, law, &cones[n_cones]);
	}
	return n_cones;
}

/* Where an island's share of the workspace begins. */
typedef struct Offsets {
	int y, z, law, cones;
	double *side_memory;
} Offsets;

static void setup_island(const AbutModel *model, const AbutState *state, AbutWorkspace *w, AbutIsland *island,
                         Offsets *at)
{
	AbutContactProblem *problem = &island->problem;
	const long first = problem->contacts - w->contacts;
	int y = 6 * problem->n_moving, z = 0, n_cones = 0, law = 0;
	problem->timestep = w->timestep;
	problem->friction_cone = model->options.friction_cone;
	problem->scratch = w->kernel_scratch;
	for (int i = 0; i < problem->n_contacts; i++) {
		AbutContactWork *contact = &problem->contacts[i];
		n_cones += setup_contact(model, state, w, w->by_island[first + i], contact,
		                         &w->cones[at->cones + n_cones], z, &law, &at->side_memory);
		contact->y = y;
		contact->z = z;
		y += contact->pair->n_y;
		z += contact->pair->n_z;
	}
	island->ncp = (AbutNcp){.problem = problem,
	                        .ops = &abut_contact_problem_ops,
	                        .n_y = y,
	                        .n_z = z,
	                        .cones = &w->cones[at->cones],
	                        .n_cones = n_cones};
	abut_iterate_piece(&w->iterate, at->y, at->z, at->law, &island->iterate);
	island->keep_y = &w->keep_y[at->y];
	island->keep_z = &w->keep_z[at->z];
	island->keep_s = &w->keep_s[at->z];
	island->path_y = &w->path_y[at->y];
	island->path_z = &w->path_z[at->z];
	island->path_s = &w->path_s[at->z];
	island->scaling = &w->scaling;
	at->y += y;
	at->z += z;
	at->law += law;
	at->cones += n_cones;
}

void abut_step_setup(const AbutModel *model, const AbutState *state, AbutWorkspace *w)
{
	Offsets at = {.side_memory = w->side_memory};
	abut_step_partition(model, w);
	for (int i = 0; i < w->n_islands; i++) {
		setup_island(model, state, w, &w->islands[i], &at);
	}
}
