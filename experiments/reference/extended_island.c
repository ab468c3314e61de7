/* Copies the equations of an island to extended precision, and finds which conditions hold with equality. */
#include "experiments/reference/extended_island.h"

#include <math.h>
#include <stdlib.h>

#include "dynamics/island/island.h"
#include "dynamics/model/model.h"

/* The most unknowns. A dense system of this size is factorised in about a second. */
enum { MOST_UNKNOWNS = 900 };

const char *abut_extended_island_refusal(const AbutIsland *island)
{
	const AbutContactProblem *problem = &island->problem;
	if (problem->n_joints > 0) {
		return "extended precision does not support joints";
	}
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		if (contact->side[0].rows->smooth || contact->side[1].rows->smooth) {
			return "a shape is given by functions";
		}
	}
	return island->ncp.n_y + island->ncp.n_z > MOST_UNKNOWNS ? "too many unknowns for a dense system" : NULL;
}

/* Copies a body. Its inertia becomes J_body = R0' J R0. Force and torque follow from the difference between the
 * momentum before contact and the old momentum. */
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
	out->delta = from->overlap.kept;
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
	for (int i = 0; i < out->n_bodies; i++) { /* the iterate has no velocities of bodies in flight */
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

/* --- what an exact solution holds --- */

static long double distance_of(const AbutExtendedIsland *island, int z, long double weight)
{
	return creall(island->base[z]) - weight * creall(island->slack[z]);
}

static void eigenvalues(const AbutExtendedIsland *island, const AbutExtendedCone *cone, long double out[2])
{
	const long double head = distance_of(island, cone->z, cone->weight);
	long double square = 0.0L;
	for (int i = 1; i < cone->dim; i++) {
		const long double d = distance_of(island, cone->z + i, cone->weight);
		square += d * d;
	}
	out[0] = head - sqrtl(square);
	out[1] = head + sqrtl(square);
}

static AbutExtendedMode mode_of(long double least, long double most)
{
	return least > 0.0L ? ABUT_EXTENDED_CLOSED : most > 0.0L ? ABUT_EXTENDED_PATH : ABUT_EXTENDED_OPEN;
}

static void choose_mode(AbutExtendedIsland *island, const AbutExtendedCone *cone)
{
	if (cone->kind != ABUT_CONE_ORTHANT) {
		long double d[2];
		eigenvalues(island, cone, d);
		island->modes[cone->z] = mode_of(d[0], d[1]);
		return;
	}
	for (int i = 0; i < cone->dim; i++) {
		const long double d = distance_of(island, cone->z + i, cone->weight);
		island->modes[cone->z + i] = mode_of(d, d);
	}
}

static void take_off(AbutExtendedIsland *island, const AbutExtendedContact *contact)
{
	for (int t = 0; t < contact->tail; t++) {
		const int edge = contact->friction_z + 1 + 2 * t;
		const AbutComplex common = fminl(creall(island->base[edge]), creall(island->base[edge + 1]));
		island->base[edge] -= common;
		island->base[edge + 1] -= common;
		island->slack[contact->friction_z] += 2.0L * common;
	}
}

/* Chooses the modes of the edges of a sticking contact: in each pair, the edge with the larger force is closed. */
static void hold_edges(AbutExtendedIsland *island, const AbutExtendedContact *contact)
{
	for (int t = 0; t < contact->tail; t++) {
		const int edge = contact->friction_z + 1 + 2 * t;
		const bool first = creall(island->base[edge]) >= creall(island->base[edge + 1]);
		island->modes[edge] = first ? ABUT_EXTENDED_CLOSED : ABUT_EXTENDED_OPEN;
		island->modes[edge + 1] = first ? ABUT_EXTENDED_OPEN : ABUT_EXTENDED_CLOSED;
	}
}

static bool sticks(const AbutExtendedIsland *island, const AbutExtendedContact *contact)
{
	return contact->tail > 0 && contact->pyramid && island->modes[contact->psi] == ABUT_EXTENDED_OPEN;
}

/* Chooses the modes. Needs the slacks at the solution. */
void abut_extended_choose_modes(AbutExtendedIsland *island)
{
	if (island->kappa > 0.0L) {
		return;
	}
	for (int i = 0; i < island->n_contacts; i++) {
		if (island->contacts[i].pyramid) {
			take_off(island, &island->contacts[i]);
		}
	}
	for (int i = 0; i < island->n_cones; i++) {
		choose_mode(island, &island->cones[i]);
	}
	for (int i = 0; i < island->n_contacts; i++) {
		AbutExtendedContact *contact = &island->contacts[i];
		if (sticks(island, contact)) {
			hold_edges(island, contact);
		}
		contact->pressed = island->modes[contact->z] == ABUT_EXTENDED_CLOSED;
		for (int k = 1; k < contact->n_cones; k++) {
			island->cones[contact->first_cone + k].left_out = !contact->pressed;
		}
		island->cones[contact->first_cone].left_out = !contact->pressed;
	}
}

static long double margin_of(const AbutExtendedIsland *island, const AbutExtendedCone *cone)
{
	long double d[2], margin = (long double)INFINITY;
	if (cone->kind != ABUT_CONE_ORTHANT) {
		eigenvalues(island, cone, d);
		return fminl(fabsl(d[0]), fabsl(d[1]));
	}
	for (int i = 0; i < cone->dim; i++) {
		margin = fminl(margin, fabsl(distance_of(island, cone->z + i, cone->weight)));
	}
	return margin;
}

/* Returns the margin. Of a contact without force, only the gap counts. */
long double abut_extended_margin(const AbutExtendedIsland *island)
{
	long double margin = (long double)INFINITY;
	for (int i = 0; island->kappa == 0.0L && i < island->n_contacts; i++) {
		const AbutExtendedContact *contact = &island->contacts[i];
		const int n_cones = contact->pressed ? contact->n_cones : 1;
		for (int k = 0; k < n_cones; k++) {
			const AbutExtendedCone *cone = &island->cones[contact->first_cone + k];
			if (cone->z != contact->friction_z + 1 || !sticks(island, contact)) { /* else: its edges */
				margin = fminl(margin, margin_of(island, cone));
			}
		}
	}
	return margin;
}
