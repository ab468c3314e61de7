/* The solution back to SI: state, warm-start data, and the contacts that abut_contact_get reports. */
#include <string.h>

#include "base/vec3.h"
#include "dynamics/step_parts.h"

static void commit_body(const AbutModel *model, AbutState *state, AbutWorkspace *w, int index, double timestep)
{
	const AbutUnits *u = &model->units;
	AbutBodyWork *body = w->body_of[index];
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

static void commit_contact(const AbutModel *model, AbutState *state, AbutWorkspace *w, const AbutContactWork *contact,
                           AbutContact *out)
{
	const AbutUnits *u = &model->units;
	const AbutPair *pair = contact->pair;
	const AbutContactSide *a = &contact->side[0]; /* the moving side; both agree at the solution */
	const double *y = &w->iterate.y[contact->y];
	const double sign = pair->flipped ? -1.0 : 1.0;
	const double length = abut_norm3(a->n);
	out->active = true;
	out->scaling = y[3];
	out->gap = length > 0.0 ? (y[3] - 1.0) / length * u->length : 0.0;
	const double normal_impulse = contact->impulse_scale * contact->gamma * abut_norm3(a->frame.N[0]) * u->impulse;
	for (int i = 0; i < 3; i++) {
		const double force = sign * a->force[i] * u->impulse;
		out->point[i] = (a->body->x0[i] + y[i]) * u->length;
		out->normal[i] = length > 0.0 ? sign * a->n[i] / length : 0.0;
		out->friction_impulse[i] =
		    force - sign * contact->impulse_scale * contact->gamma * a->frame.N[0][i] * u->impulse;
	}
	out->normal_impulse = normal_impulse;
	out->torsional_impulse =
	    contact->impulse_scale * pair->torsional_radius * contact->beta[2] * abut_norm3(a->frame.N[0]) * u->torsion;
	memcpy(&state->pair_y[pair->y_offset], y, (size_t)pair->n_y * sizeof(double));
	memcpy(&state->pair_z[pair->z_offset], &w->iterate.z[contact->z], (size_t)pair->n_z * sizeof(double));
	abut_copy3(a->n, &state->pair_normal[3 * contact->index]);
	state->pair_alpha[contact->index] = y[3];
	state->warm_pair[contact->index] = true;
}

void abut_step_commit(const AbutModel *model, AbutState *state, AbutWorkspace *w, double timestep, AbutStepInfo *info)
{
	memset(state->warm_pair, 0, (size_t)model->n_pairs * sizeof *state->warm_pair);
	for (int i = 0; i < model->n_pairs; i++) {
		w->results[i].active = false;
		state->pair_alpha[i] = -1.0;
	}
	for (int i = 0; i < w->n_active; i++) {
		const AbutContactWork *contact = &w->contacts[i];
		AbutContact *out = &w->results[contact->index];
		commit_contact(model, state, w, contact, out);
		const double depth = contact->side[1].rows->bounded
		                         ? -out->gap
		                         : abut_plane_depth(model, contact, false) * model->units.length;
		info->max_penetration = fmax(info->max_penetration, depth);
	}
	for (int i = 0; i < model->n_moving; i++) {
		commit_body(model, state, w, model->moving_body[i], timestep);
	}
	state->warm = true;
	info->active_contacts = w->n_active;
}
