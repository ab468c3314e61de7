/* The numbers of an island's problem, widened. */
#include "experiments/reference/extended_island.h"

#include <stdlib.h>

#include "dynamics/island/island.h"
#include "dynamics/model/model.h"

/* Unknowns of a dense system that is factorised in a second or so. */
enum { MOST_UNKNOWNS = 900 };

const char *abut_extended_island_refusal(const AbutIsland *island)
{
	const AbutContactProblem *problem = &island->problem;
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		if (contact->side[0].rows->smooth || contact->side[1].rows->smooth) {
			return "a shape is given by functions";
		}
	}
	return island->ncp.n_y + island->ncp.n_z > MOST_UNKNOWNS ? "too many unknowns for a dense system" : NULL;
}

/* J_body = R0' J R0; force and torque are what the momentum before the contacts holds beside the old one. */
static void copy_body(const AbutModel *model, const AbutBodyWork *from, double timestep, AbutExtendedBody *out)
{
	AbutComplex inertia[9], momentum[6], w0[3], Jw[3], gyre[3], turn[3], half[9], back[9];
	const AbutBody *body = &model->bodies[from->body];
	out->moving = body->moving;
	out->planar = from->planar;
	out->quasi_static = from->quasi_static;
	out->old_timestep = from->last_timestep > 0.0 ? from->last_timestep : timestep;
	out->mass = from->mass;
	abut_extended_widen(9, from->inertia, inertia);
	abut_extended_widen(9, from->R0, out->R0);
	abut_extended_widen(3, from->v0, out->v0);
	abut_extended_widen(3, from->w0, w0);
	abut_extended_widen(6, from->momentum, momentum);
	abut_extended_multiply(inertia, out->R0, half);
	for (int i = 0; i < 9; i++) {
		back[i] = out->R0[i % 3 * 3 + i / 3];
	}
	abut_extended_multiply(back, half, out->inertia);
	abut_extended_rotate_back(out->R0, w0, out->spin);
	abut_extended_rotate(inertia, w0, Jw);
	abut_extended_cross(w0, Jw, gyre);
	const long double h = 0.5L * out->old_timestep;
	const AbutComplex c = csqrtl(1.0L - h * h * abut_extended_dot(w0, w0));
	for (int i = 0; i < 3; i++) {
		out->moved[i] = 0.0L;
		out->force[i] = (momentum[i] - out->mass * out->v0[i]) / timestep;
		turn[i] = (momentum[3 + i] - c * Jw[i] + h * gyre[i]) / timestep;
	}
	abut_extended_rotate_back(out->R0, turn, out->torque);
}

static void copy_side(const AbutContactSide *from, int y, int z, AbutExtendedSide *out)
{
	out->rows = from->rows;
	out->body = from->body->moving;
	out->sign = from->sign;
	out->shift = from->shift;
	out->y = y + from->y;
	out->z = z + from->z;
	abut_extended_widen(9, from->body->R, out->R);
	abut_extended_widen(3, from->from_side_0, out->place);
}

static void copy_contact(const AbutContactWork *from, AbutFrictionCone kind, int n_y, AbutExtendedContact *out)
{
	out->y = from->at.y;
	out->n_y = from->pair->n_y;
	out->z = n_y + from->at.z;
	out->n_z = from->pair->n_z;
	for (int i = 0; i < 2; i++) {
		copy_side(&from->side[i], out->y, out->z, &out->side[i]);
	}
	out->pressed = true;
	out->tail = from->pair->tail;
	out->mu = from->mu;
	out->torsional_radius = from->pair->torsional_radius;
	out->sigma = from->scale.sigma;
	out->weight_contact = from->scale.weight_contact;
	out->weight_friction = from->scale.weight_friction;
	out->impulse_scale = from->scale.impulse;
	out->delta = from->overlap.delta;
	abut_extended_widen(3, from->reference, out->reference);
	out->pyramid = kind == ABUT_FRICTION_CONE_PYRAMID;
	out->friction_z = out->z + from->at.friction_z;
	out->psi = out->pyramid ? out->friction_z : out->y + from->at.psi_y;
	out->alpha_z = out->z + from->at.alpha_z;
	out->n_cones = from->pair->n_cones;
}

static AbutStatus reserve(const AbutIsland *from, AbutExtendedIsland *out)
{
	const size_t n = (size_t)out->n + 1;
	out->bodies = calloc((size_t)out->n_bodies + 1, sizeof *out->bodies);
	out->contacts = calloc((size_t)out->n_contacts + 1, sizeof *out->contacts);
	out->cones = calloc((size_t)from->ncp.n_cones + 1, sizeof *out->cones);
	out->modes = calloc(n, sizeof *out->modes);
	out->base = calloc(2 * n, sizeof *out->base);
	out->slack = out->base ? out->base + n : NULL;
	return out->bodies && out->contacts && out->cones && out->modes && out->base ? ABUT_OK : ABUT_ERROR_MEMORY;
}

AbutStatus abut_extended_island_copy(const AbutModel *model, const AbutIsland *from, double kappa,
                                     AbutExtendedIsland *out)
{
	const AbutContactProblem *problem = &from->problem;
	*out = (AbutExtendedIsland){.n_bodies = problem->n_moving,
	                            .n_contacts = problem->n_contacts,
	                            .n_y = from->ncp.n_y,
	                            .n = from->ncp.n_y + from->ncp.n_z,
	                            .timestep = problem->timestep,
	                            .kappa = kappa};
	if (reserve(from, out) != ABUT_OK) {
		abut_extended_island_free(out);
		return ABUT_ERROR_MEMORY;
	}
	for (int i = 0; i < out->n_bodies; i++) {
		copy_body(model, problem->moving[i], problem->timestep, &out->bodies[i]);
	}
	for (int i = 0; i < out->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		AbutExtendedContact *to = &out->contacts[i];
		copy_contact(contact, problem->friction_cone, out->n_y, to);
		to->first_cone = out->n_cones;
		for (int k = 0; k < to->n_cones; k++) {
			const AbutCone *cone = &contact->cones[k];
			out->cones[out->n_cones++] = (AbutExtendedCone){.kind = cone->kind,
			                                                .z = out->n_y + cone->offset,
			                                                .dim = cone->dim,
			                                                .kappa = kappa / (1.0L + cone->sharper),
			                                                .weight = cone->weight};
		}
	}
	abut_extended_widen(out->n_y, from->iterate.y, out->base);
	for (int i = 0; i < out->n_bodies; i++) { /* of a body in flight the iterate does not know */
		abut_extended_widen(3, problem->moving[i]->v, &out->base[6 * i]);
		abut_extended_widen(3, problem->moving[i]->w, &out->base[6 * i + 3]);
	}
	abut_extended_widen(from->ncp.n_z, from->iterate.z, out->base + out->n_y);
	return ABUT_OK;
}

void abut_extended_island_free(AbutExtendedIsland *island)
{
	free(island->bodies);
	free(island->contacts);
	free(island->cones);
	free(island->modes);
	free(island->base);
	*island = (AbutExtendedIsland){.n = 0};
}
