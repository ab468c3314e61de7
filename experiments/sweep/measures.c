#include "experiments/sweep/measures.h"

#include <math.h>

#include "base/vec3.h"
#include "dynamics/model.h"
#include "experiments/sweep/digest.h"

/* The total momentum, and the bodies' angular momenta about their own centres: R J w with J and w in body axes. */
static void add_up(const AbutModel *model, const AbutState *state, double momentum[3], double spin[3])
{
	for (int i = 0; i < model->n_bodies; i++) {
		const AbutBody *body = &model->bodies[i];
		AbutBodyState at;
		double R[9], L[3];
		if (body->is_static || abut_state_get_body(model, state, i, &at) != ABUT_OK) {
			continue;
		}
		abut_quat_to_mat3(at.orientation, R);
		abut_mat3_vec(body->inertia_si, at.angular_velocity, L);
		abut_mat3_vec(R, L, L);
		for (int k = 0; k < 3; k++) {
			momentum[k] += body->mass_si * at.linear_velocity[k];
			spin[k] += L[k];
		}
	}
}

AbutStatus abut_sweep_observe(void *context, const AbutRunView *view, AbutError *error)
{
	AbutSweepMeasures *measures = context;
	double momentum[3] = {0.0, 0.0, 0.0}, spin[3] = {0.0, 0.0, 0.0};
	(void)error;
	if (!view->info) {
		return ABUT_OK;
	}
	AbutContact contact;
	for (int i = 0; abut_contact_get(view->model, view->workspace, i, &contact) == ABUT_OK; i++) {
		measures->violation = fmax(measures->violation, 1.0 - contact.scaling);
	}
	add_up(view->model, view->state, momentum, spin);
	const double share = 1.0 / (double)++measures->steps;
	for (int k = 0; k < 3; k++) {
		measures->momentum[k] += share * (fabs(momentum[k]) - measures->momentum[k]);
		measures->spin[k] += share * (fabs(spin[k]) - measures->spin[k]);
	}
	return ABUT_OK;
}

uint64_t abut_sweep_state_digest(const AbutModel *model, const AbutState *state)
{
	uint64_t digest = ABUT_DIGEST_START;
	for (int i = 0; i < model->n_bodies; i++) {
		AbutBodyState at;
		if (abut_state_get_body(model, state, i, &at) == ABUT_OK) {
			digest = abut_digest_bytes(digest, &at, sizeof at);
		}
	}
	return digest;
}
