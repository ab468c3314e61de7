/* The solution back to SI: state, warm-start data, and the contacts that abut_contact_get reports. */
#include <string.h>

#include "base/vec3.h"
#include "dynamics/step_parts.h"

static void commit_body(const AbutModel *model, AbutState *state, AbutWorkspace *w, int index, double timestep)
{
	const AbutUnits *u = &model->units;
	AbutBodyWork *body = &w->bodies[index];
	AbutBodyState *s = &state->bodies[index];
	double *previous = &state->previous_velocity[6 * index];
	double w_body[3], q[4];
	const double turn[4] = {body->cosine, body->psi[0], body->psi[1], body->psi[2]};
	abut_mat3_tvec(body->R0, body->w, w_body);
	for (int i = 0; i < 3; i++) {
		previous[i] = s->linear_velocity[i];
		previous[3 + i] = body->w0[i] / u->time;
		s->linear_velocity[i] = body->v[i] * u->velocity;
		s->angular_velocity[i] = w_body[i] / u->time;
		s->position[i] += timestep * u->time * s->linear_velocity[i];
	}
	abut_quat_mul(turn, s->orientation, q);
	memcpy(s->orientation, q, sizeof q);
	abut_quat_normalise(s->orientation);
}

/* Scaling and gap as they are: of a plane that was moved back for this step, and of a pair that was solved apart, the
 * solver's alpha speaks of another place. */
static void true_gap(const AbutModel *model, const AbutContactWork *contact, double alpha, double timestep,
                     AbutContact *out)
{
	const double length = abut_norm3(contact->side[0].n);
	out->scaling = contact->start_alpha >= 0.0 ? contact->start_alpha : alpha;
	out->gap = length > 0.0 ? (out->scaling - 1.0) / length * model->units.length : 0.0;
	if (contact->side[1].shift != 0.0) {
		const double gap = -abut_plane_depth(model, contact, timestep);
		out->gap = gap * model->units.length;
		out->scaling = 1.0 + gap * length;
	}
}

/* Adds the impulses of one part of the step; they are those on side 1, the opposite of side 0's. */
static void add_impulses(const AbutModel *model, const AbutContactWork *contact, AbutContact *out)
{
	const AbutUnits *u = &model->units;
	const AbutContactSide *a = &contact->side[0]; /* the moving side; both agree at the solution */
	const double sign = contact->pair->flipped ? -1.0 : 1.0;
	const double gamma = contact->impulse_scale * contact->gamma;
	for (int i = 0; i < 3; i++) {
		out->friction_impulse[i] += sign * (a->force[i] - gamma * a->frame.N[0][i]) * u->impulse;
	}
	const double soft = abut_norm3(a->frame.N[0]);
	out->normal_impulse += gamma * soft * u->impulse;
	out->torsional_impulse +=
	    contact->impulse_scale * contact->pair->torsional_radius * contact->beta[2] * soft * u->torsion;
}

static void keep_for_warm_start(AbutState *state, const AbutIsland *island, const AbutContactWork *contact)
{
	const AbutPair *pair = contact->pair;
	double *z = &state->pair_z[pair->z_offset];
	memcpy(&state->pair_y[pair->y_offset], &island->iterate.y[contact->y], (size_t)pair->n_y * sizeof(double));
	memcpy(z, &island->iterate.z[contact->z], (size_t)pair->n_z * sizeof(double));
	abut_scale_forces(contact, island->problem.friction_cone, contact->impulse_scale, z);
	abut_copy3(contact->side[0].n, &state->pair_normal[3 * contact->index]);
	state->pair_alpha[contact->index] =
	    contact->start_alpha >= 0.0 ? contact->start_alpha : island->iterate.y[contact->y + 3];
	state->warm_pair[contact->index] = true;
}

static void commit_contact(const AbutModel *model, AbutWorkspace *w, const AbutIsland *island,
                           const AbutContactWork *contact, AbutStepInfo *info)
{
	AbutContact *out = &w->results[contact->index];
	const double timestep = w->timestep;
	const AbutContactSide *a = &contact->side[0];
	const double *y = &island->iterate.y[contact->y];
	const double length = abut_norm3(a->n);
	const double sign = contact->pair->flipped ? -1.0 : 1.0;
	out->active = true;
	true_gap(model, contact, y[3], timestep, out);
	for (int i = 0; i < 3; i++) {
		out->point[i] = (a->body->x0[i] + y[i]) * model->units.length;
		out->normal[i] = length > 0.0 ? sign * a->n[i] / length : 0.0;
	}
	add_impulses(model, contact, out);
	const double depth = contact->side[1].rows->bounded
	                         ? -out->gap
	                         : abut_plane_depth(model, contact, timestep) * model->units.length;
	info->max_penetration = fmax(info->max_penetration, depth);
}

void abut_step_clear_results(const AbutModel *model, AbutWorkspace *w)
{
	for (int i = 0; i < model->n_pairs; i++) {
		const AbutContact old = w->results[i];
		w->results[i] = (AbutContact){
		    .body_a = old.body_a, .body_b = old.body_b, .part_a = old.part_a, .part_b = old.part_b};
	}
}

void abut_step_commit(const AbutModel *model, AbutState *state, AbutWorkspace *w, AbutStepInfo *info)
{
	memset(state->warm_pair, 0, (size_t)model->n_pairs * sizeof *state->warm_pair);
	for (int i = 0; i < model->n_pairs; i++) {
		state->pair_alpha[i] = -1.0;
	}
	for (int i = 0; i < w->n_islands; i++) {
		const AbutIsland *island = &w->islands[i];
		for (int j = 0; j < island->problem.n_contacts; j++) {
			const AbutContactWork *contact = &island->problem.contacts[j];
			commit_contact(model, w, island, contact, info);
			keep_for_warm_start(state, island, contact);
		}
	}
	for (int i = 0; i < model->n_moving; i++) {
		commit_body(model, state, w, model->moving_body[i], w->timestep);
	}
	state->last_timestep = w->timestep;
	state->warm = true;
	info->active_contacts = w->n_active;
}
