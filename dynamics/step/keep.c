/* Keeps an island's solution at the end of a step, or of a part of a step: the motion of its bodies, the memory of its
 * contacts for the next step, and the results for abut_contact_get. Also loads the kept solution from which a contact
 * starts. */
#include "dynamics/step/keep.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/body.h"
#include "dynamics/contact/plane_depth.h"
#include "dynamics/contact/setup.h"
#include "dynamics/joint/keep.h"
#include "dynamics/state/memory.h"
#include "dynamics/state/state.h"
#include "shapes/support/support.h"

AbutContact abut_contact_blank(const AbutModel *model, const AbutPair *pair)
{
	const int a = pair->flipped ? 1 : 0, b = 1 - a;
	return (AbutContact){.body_a = pair->body[a],
	                     .body_b = pair->body[b],
	                     .part_a = pair->part[a] - model->bodies[pair->body[a]].first_part,
	                     .part_b = pair->part[b] - model->bodies[pair->body[b]].first_part};
}

static void keep_body(const AbutModel *model, AbutWorkspace *w, const AbutBodyWork *body, double timestep)
{
	const AbutUnits *u = &model->units;
	AbutMotion *motion = &w->motion[body->body];
	AbutBodyState *s = &motion->at;
	double w_body[3], q[4];
	const double turn[4] = {body->cosine, body->psi[0], body->psi[1], body->psi[2]};
	abut_mat3_tvec(body->R0, body->w, w_body);
	const bool cold = motion->last_timestep == 0.0;
	memcpy(motion->past_velocity[1], motion->past_velocity[0], sizeof motion->past_velocity[1]);
	abut_copy3(s->linear_velocity, motion->past_velocity[0]);
	abut_divide3(body->w0, u->time, &motion->past_velocity[0][3]);
	abut_scale3(u->velocity, body->v, s->linear_velocity);
	abut_divide3(w_body, u->time, s->angular_velocity);
	abut_add_scaled3(s->position, timestep * u->time, s->linear_velocity, s->position);
	if (cold) { /* no earlier velocity is known */
		memcpy(motion->past_velocity[1], motion->past_velocity[0], sizeof motion->past_velocity[1]);
	}
	abut_quat_mul(turn, s->orientation, q);
	memcpy(s->orientation, q, sizeof q);
	abut_quat_normalise(s->orientation);
	motion->last_timestep = timestep;
}

/* Computes scaling and gap at the actual poses. They differ from the solver's alpha if a halfspace was moved back for
 * this step, or if the centres of a pair were moved apart for the solve. */
static void true_gap(const AbutModel *model, const AbutContactWork *contact, double alpha, double timestep,
                     AbutContact *out)
{
	const double length = abut_norm3(contact->side[0].n);
	out->scaling = contact->overlap.start_alpha >= 0.0 ? contact->overlap.start_alpha : alpha;
	out->gap = length > 0.0 ? (out->scaling - 1.0) / length * model->units.length : 0.0;
	if (contact->side[1].shift != 0.0) {
		const double gap = -abut_plane_depth(model, contact, timestep);
		out->gap = gap * model->units.length;
		out->scaling = 1.0 + gap * length;
	}
}

/* Adds the impulses on side 1 in one part of the step. Those on side 0 are opposite. */
static void add_impulses(const AbutModel *model, const AbutContactWork *contact, AbutContact *out)
{
	const AbutUnits *u = &model->units;
	const AbutContactSide *a = &contact->side[0]; /* side 0 always moves; both sides agree at the solution */
	const double sign = contact->pair->flipped ? -1.0 : 1.0;
	const double gamma = contact->scale.impulse * contact->value.gamma;
	for (int i = 0; i < 3; i++) {
		out->friction_impulse[i] += sign * (a->force[i] - gamma * a->frame.N[0][i]) * u->impulse;
	}
	const double soft = abut_norm3(a->frame.N[0]);
	out->normal_impulse += gamma * soft * u->impulse;
	out->torsional_impulse +=
	    contact->scale.impulse * contact->pair->torsional_radius * contact->value.beta[2] * soft * u->torsion;
}

static void remember(const AbutIsland *island, AbutContactWork *contact, double alpha)
{
	AbutContactMemory *memory = contact->last.entry;
	const double *y = &island->iterate.y[contact->at.y];
	memcpy(contact->last.y, y, (size_t)memory->n_y * sizeof(double));
	memcpy(contact->last.z, &island->iterate.z[contact->at.z], (size_t)memory->n_z * sizeof(double));
	abut_scale_forces(contact, island->problem.friction_cone, contact->scale.impulse, contact->last.z);
	abut_copy3(contact->side[0].n, memory->normal);
	memory->alpha = alpha;
	memory->solved = true;
}

/* Returns the depth in a halfspace at the solution: from the support function or, if that is expensive, from the bound
 * that the duals prove. */
static double plane_depth(const AbutModel *model, const AbutIsland *island, const AbutContactWork *contact)
{
	const double timestep = island->problem.timestep;
	const AbutConicRows *rows = contact->side[0].rows;
	double depth;
	if (!abut_shape_support_is_closed(model->parts[contact->pair->part[0]].shape) && rows->n_eps == 0 &&
	    abut_plane_depth_proof(contact, timestep, &island->iterate.y[contact->at.y],
	                           &island->iterate.z[contact->at.z], &island->iterate.H[contact->at.z], &depth)) {
		return depth;
	}
	return abut_plane_depth(model, contact, timestep);
}

static void report(const AbutModel *model, AbutWorkspace *w, const AbutIsland *island, const AbutContactWork *contact,
                   AbutStepInfo *info)
{
	const double timestep = island->problem.timestep;
	const AbutContactSide *a = &contact->side[0];
	const double *y = &island->iterate.y[contact->at.y];
	const double length = abut_norm3(a->n);
	const double sign = contact->pair->flipped ? -1.0 : 1.0;
	AbutContact *out = &w->results[contact->index];
	w->pairs.candidates[contact->index].solved = true;
	true_gap(model, contact, y[3], timestep, out);
	for (int i = 0; i < 3; i++) {
		out->point[i] = (a->body->x0[i] + y[i]) * model->units.length;
		out->normal[i] = length > 0.0 ? sign * a->n[i] / length : 0.0;
	}
	add_impulses(model, contact, out);
	const double depth =
	    contact->side[1].rows->bounded ? -out->gap : plane_depth(model, island, contact) * model->units.length;
	info->max_penetration = abut_max(info->max_penetration, depth);
}

static void keep_joint(const AbutModel *model, AbutWorkspace *w, const AbutIsland *island, AbutJointWork *joint,
                       AbutStepInfo *info)
{
	abut_joint_keep(joint, island->problem.timestep, &island->iterate.y[joint->at.y],
	                &island->iterate.z[joint->at.z]);
	if (w->loads) {
		abut_joint_add_load(joint, &w->loads[6 * (joint->last - w->joints)]);
	}
	const AbutJointDone *done = &joint->last->done;
	info->joint_violation_m = abut_max(info->joint_violation_m, done->violation[0] * model->units.length);
	info->joint_violation_rad = abut_max(info->joint_violation_rad, done->violation[1]);
	info->limit_violation =
	    abut_max(info->limit_violation, abut_max(done->overshoot[0] * model->units.length, done->overshoot[1]));
}

static void keep_coupling(const AbutModel *model, const AbutIsland *island, const AbutCouplingWork *coupling,
                          AbutStepInfo *info)
{
	abut_coupling_keep(coupling, island->iterate.y[coupling->at]);
	const double violation = coupling->last->violation;
	if (coupling->coupling->turns) {
		info->joint_violation_rad = abut_max(info->joint_violation_rad, violation);
	} else {
		info->joint_violation_m = abut_max(info->joint_violation_m, violation * model->units.length);
	}
}

void abut_step_keep(const AbutModel *model, AbutWorkspace *w, AbutIsland *island, AbutStepInfo *info)
{
	for (int i = 0; i < island->problem.n_contacts; i++) {
		AbutContactWork *contact = &island->problem.contacts[i];
		report(model, w, island, contact, info);
		remember(island, contact, w->results[contact->index].scaling);
	}
	for (int i = 0; i < island->problem.n_joints; i++) {
		keep_joint(model, w, island, &island->problem.joints[i], info);
	}
	for (int i = 0; i < island->problem.n_couplings; i++) {
		keep_coupling(model, island, &island->problem.couplings[i], info);
	}
	for (int i = 0; i < island->problem.n_moving; i++) {
		keep_body(model, w, island->problem.moving[i], island->problem.timestep);
	}
}

/* Copies a candidate's memory from the state's store to the workspace's store. */
static void load_memory(const AbutState *state, AbutWorkspace *w, int index)
{
	const AbutContactStore *from = &state->store;
	AbutContactStore *to = &w->pairs.store;
	AbutCandidate *candidate = &w->pairs.candidates[index];
	AbutContactMemory *entry = &to->entries[index];
	candidate->solved = entry->solved = false;
	if (candidate->source < 0) {
		return;
	}
	const AbutContactMemory *source = &from->entries[candidate->source];
	abut_copy3(source->normal, entry->normal);
	if (source->solved) {
		entry->solved = true;
		entry->alpha = source->alpha;
		memcpy(&to->y[entry->y], &from->y[source->y], (size_t)entry->n_y * sizeof(double));
		memcpy(&to->z[entry->z], &from->z[source->z], (size_t)entry->n_z * sizeof(double));
	}
}

void abut_step_restart_joints(const AbutState *state, AbutWorkspace *w, const AbutIslandMembers *members)
{
	for (int i = 0; i < members->size.n_joints; i++) {
		const int joint = w->partition.joints[members->first_joint + i];
		w->joints[joint] = state->joints[joint];
		memset(&w->joints[joint].done, 0, sizeof w->joints[joint].done);
		if (w->loads) {
			memset(&w->loads[6 * joint], 0, 6 * sizeof *w->loads);
		}
	}
	for (int i = 0; i < members->size.n_couplings; i++) {
		const int coupling = w->partition.couplings[members->first_coupling + i];
		w->couplings[coupling] = state->couplings[coupling];
		w->couplings[coupling].done = 0.0;
	}
}

void abut_step_restart(const AbutModel *model, const AbutState *state, AbutWorkspace *w,
                       const AbutIslandMembers *members, bool resume, const AbutStepWatch *watch)
{
	for (int i = 0; i < members->size.n_bodies; i++) {
		const int body = w->partition.moving[members->first_body + i]->body;
		w->motion[body] = state->motion[body];
	}
	abut_step_restart_joints(state, w, members);
	for (int i = 0; i < members->size.n_contacts; i++) {
		const int index = abut_island_candidate(w, members, i);
		if (!resume || !w->pairs.candidates[index].solved) {
			load_memory(state, w, index);
		}
		w->results[index] = abut_contact_blank(model, &w->pairs.candidates[index].pair);
	}
	if (watch) {
		watch->restart(watch->who, w, members);
	}
}
